//! Why a template cannot be parsed or rendered, in Go's words, with every call on the way.

use super::quote::quoted;
use super::tree::Source;
use std::fmt;
use std::sync::Arc;

/// Why a text is no template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ParseFailure {
    pub(crate) source: Arc<str>,
    pub(crate) line: u32,
    pub(crate) cause: String,
    /// Whether it may be one where there is more room.
    pub(crate) is_for_lack_of_room: bool,
}

impl ParseFailure {
    pub(super) fn new(source: &Source, offset: u32, cause: String) -> Self {
        Self {
            source: Arc::clone(&source.name),
            line: source.line(offset),
            cause,
            is_for_lack_of_room: false,
        }
    }
}

impl fmt::Display for ParseFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "template: {}:{}: {}", self.source, self.line, self.cause)
    }
}

/// Why a template stopped.
#[derive(Debug, Clone)]
pub(crate) struct Failure(Box<Stop>);

#[derive(Debug, Clone)]
struct Stop {
    message: String,
    /// What is wrong, without the way to it.
    cause: String,
    sites: Vec<Site>,
    is_limit: bool,
}

/// An action that was being carried out.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    pub(crate) template: Arc<str>,
    pub(crate) source: Arc<Source>,
    pub(crate) offset: u32,
    /// The part of the action, as written.
    pub(crate) context: String,
}

impl Failure {
    /// A limit of ours that Go does not have.
    pub(crate) fn limit(cause: impl Into<String>) -> Self {
        let cause = cause.into();
        Self(Box::new(Stop { message: cause.clone(), cause, sites: Vec::new(), is_limit: true }))
    }

    /// What Go says.
    pub(crate) fn message(&self) -> &str {
        &self.0.message
    }

    /// What is wrong, without the way to it.
    pub(crate) fn cause(&self) -> &str {
        &self.0.cause
    }

    /// The calls on the way, the outermost first.
    pub(crate) fn sites(&self) -> &[Site] {
        &self.0.sites
    }

    pub(crate) fn is_limit(&self) -> bool {
        self.0.is_limit
    }

    /// The failure as it is said at an action, with a few words before it.
    pub(super) fn at(mut self, site: Site, words: &str) -> Self {
        let (line, column) = site.source.position(site.offset);
        self.0.message = format!(
            "template: {}:{line}:{column}: executing {} at <{}>: {words}{}",
            site.source.name,
            quoted(&site.template),
            site.context,
            self.0.message
        );
        self.0.sites.insert(0, site);
        self
    }

    /// The failure with marks around what is said of it, not around its cause.
    pub(crate) fn wrapped(mut self, start: &str, end: &str) -> Self {
        self.0.message = format!("{start}{}{end}", self.0.message);
        self
    }

    /// The failure with words before it.
    pub(crate) fn within(mut self, words: &str) -> Self {
        self.0.message.insert_str(0, words);
        self
    }
}

impl<T: Into<String>> From<T> for Failure {
    fn from(cause: T) -> Self {
        let cause = cause.into();
        Self(Box::new(Stop { message: cause.clone(), cause, sites: Vec::new(), is_limit: false }))
    }
}
