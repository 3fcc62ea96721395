//! Whether waits that give up last long enough.

use crate::compile::{Compiled, Timed};
use crate::times::{Pace, Times};
use std::time::Duration;

/// How long one wait takes, counted from its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Due {
    /// The position of the deadline in the question.
    pub deadline: usize,
    /// How long the wait lasts before it gives up.
    pub within: Duration,
    /// When the clock starts with every delay at its usual value; `None` if it never does.
    pub start: Option<Duration>,
    /// How long what is awaited takes with every delay at its usual value; `None` if it never comes.
    pub usual: Option<Duration>,
    /// The same with every delay at its highest value.
    pub high: Option<Duration>,
}

impl Due {
    /// Whether the wait gives up with every delay at its usual value.
    #[must_use]
    pub fn is_missed(&self) -> bool {
        self.start.is_some() && self.usual.is_none_or(|usual| usual > self.within)
    }

    /// How much time is left with every delay at its usual value; `None` if the deadline is missed.
    #[must_use]
    pub fn slack(&self) -> Option<Duration> {
        self.usual.and_then(|usual| self.within.checked_sub(usual))
    }
}

/// Every deadline of a question.
pub(crate) fn dues(compiled: &Compiled, usual: &Times) -> Vec<Due> {
    if compiled.deadlines.is_empty() {
        return Vec::new();
    }
    let high = Times::of(&compiled.system, Pace::High);
    let due = |(deadline, timed): (usize, &Timed)| Due {
        deadline,
        within: timed.within,
        start: usual.at(timed.start),
        usual: timed.takes(usual),
        high: timed.takes(&high),
    };
    compiled.deadlines.iter().enumerate().map(due).collect()
}

impl Timed {
    fn takes(&self, times: &Times) -> Option<Duration> {
        let start = times.at(self.start)?;
        let mut end = start;
        for clause in &self.awaited {
            end = end.max(times.met(*clause)?);
        }
        end.checked_sub(start)
    }
}
