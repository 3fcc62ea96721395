//! Whether a program runs.

use serde::{Deserialize, Serialize};

/// Whether a program runs, and why not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum State {
    /// It runs.
    Running,
    /// It was asked to stop.
    Stopped,
    /// It ended by itself; how, in words.
    Ended(String),
}
