//! A scalar as it was written, before anybody decides what it stands for.

use crate::resolve::resolve;
use plimsoll_model::Value;
use std::borrow::Cow;

/// A value that is not a list or a map, as it was written.
#[derive(Debug, Clone)]
pub struct Scalar<'t> {
    /// Its text, without quotes, escapes and line folding.
    pub text: Cow<'t, str>,
    /// The tag it was given, in full.
    pub tag: Option<Box<str>>,
    /// Whether it stands without quotes, so that its text alone may make it a number.
    pub is_plain: bool,
}

impl<'t> Scalar<'t> {
    /// A scalar without quotes.
    pub(crate) fn plain(text: impl Into<Cow<'t, str>>) -> Self {
        Self { text: text.into(), tag: None, is_plain: true }
    }

    /// A scalar in quotes, or a block.
    pub(crate) fn quoted(text: impl Into<Cow<'t, str>>) -> Self {
        Self { text: text.into(), tag: None, is_plain: false }
    }

    /// Whether it is the key `<<` that merges a map into the one it stands in.
    #[must_use]
    pub fn is_merge(&self) -> bool {
        self.text == "<<" && (self.is_plain || self.tag.as_deref() == Some("tag:yaml.org,2002:merge"))
    }

    /// What it stands for in YAML 1.1, as kubectl reads it.
    pub(crate) fn value(self) -> Result<Value, &'static str> {
        resolve(self.text, self.tag.as_deref(), self.is_plain)
    }
}
