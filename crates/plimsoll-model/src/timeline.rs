//! One order of moments that the tool permits.

use crate::{Actor, ObjectId};
use std::time::Duration;

/// One order of moments the tool permits; the counterexample when it breaks a requirement.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Timeline(pub Vec<Instant>);

/// What happens at one time of a timeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instant {
    /// Since the beginning of the run.
    pub time: Duration,
    /// Who acts.
    pub actor: Actor,
    /// On which object, if on one.
    pub object: Option<ObjectId>,
    /// What it does.
    pub does: String,
    /// The exact text that is then seen.
    pub answer: Option<String>,
}
