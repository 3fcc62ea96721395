//! What a tool promises about order, and how long it is willing to wait.

use crate::{Clause, Moment, Place};
use std::borrow::Cow;
use std::time::Duration;

/// The tool never lets any of `then` happen before all of `first`, because of a named setting or behaviour.
#[derive(Debug, Clone)]
pub struct Guarantee {
    /// All of these come first.
    pub first: Vec<Moment>,
    /// None of these comes before.
    pub then: Vec<Moment>,
    /// The setting or behaviour it rests on, in words for a user.
    pub because: Cow<'static, str>,
    /// Where it was read: program, version and file, or the rule of the shell.
    pub source: &'static str,
    /// Where the user said so, if it was said anywhere.
    pub place: Option<Place>,
}

/// A wait that gives up: `awaited` must be reached within a time after `start`, or the run fails.
#[derive(Debug, Clone)]
pub struct Deadline {
    /// When the clock starts.
    pub start: Moment,
    /// All of these are waited for.
    pub awaited: Vec<Clause>,
    /// How long the wait lasts.
    pub within: Duration,
    /// Where the user said so.
    pub place: Place,
    /// What waits, in the user's words: `kubectl rollout status deployment/web --timeout=60s`.
    pub says: String,
}
