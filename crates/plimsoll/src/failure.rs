//! Plimsoll could not do its work: what failed, why, and what to do about it.

use std::error::Error;
use std::fmt;

/// Plimsoll could not do its work.
#[derive(Debug)]
pub(crate) struct Failure {
    /// What kind of failure it is.
    pub(crate) kind: Kind,
    /// What was being done and what stood in the way, outermost first.
    pub(crate) chain: Vec<String>,
    /// What the user can do next.
    pub(crate) hint: Option<String>,
}

/// What kind of failure it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The question was not understood.
    Usage,
    /// A report could not be written.
    Output,
    /// The answer did not pass its own check.
    Flaw,
}

impl Failure {
    /// The question was not understood.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self { kind: Kind::Usage, chain: vec![message.into()], hint: None }
    }

    /// A report could not be written.
    pub(crate) fn output(doing: impl Into<String>, error: &dyn Error) -> Self {
        let mut chain = vec![doing.into(), error.to_string()];
        let mut cause = error.source();
        while let Some(error) = cause {
            chain.push(error.to_string());
            cause = error.source();
        }
        Self { kind: Kind::Output, chain, hint: None }
    }

    /// The answer did not pass its own check: a defect of Plimsoll, said instead of a verdict that may be wrong.
    pub(crate) fn flaw(flaw: &dyn Error) -> Self {
        let chain = vec!["the answer did not pass its own check".to_owned(), flaw.to_string()];
        let failure = Self { kind: Kind::Flaw, chain, hint: None };
        failure.hint("this is a defect of Plimsoll: please report it with the input that shows it")
    }

    /// The same with a next step for the user.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.chain.join(": "))?;
        match (&self.hint, self.kind) {
            (Some(hint), _) => write!(f, "\n\n  hint: {hint}"),
            (None, Kind::Usage) => write!(f, "\n\n  hint: `plimsoll --help` shows what can be asked"),
            (None, Kind::Output | Kind::Flaw) => Ok(()),
        }
    }
}
