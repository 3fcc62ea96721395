//! What the reasoning reasons about: events that wait, readers that read once, windows in which a step fails.
//!
//! Each event adds one fact, once. Nothing here knows what a fact stands for.

use crate::fact::{ClauseId, Fact, PerFact};
use crate::lists::Lists;
use plimsoll_model::{Delay, Reading};

/// Events with guards, one-shot requirements and windows. Built by a [`Draft`](crate::Draft).
#[derive(Debug, Clone)]
pub struct System {
    /// The facts of each clause; any one of them satisfies it.
    pub(crate) clauses: Lists<Fact>,
    /// The clauses that each event waits for, whatever it reads.
    pub(crate) guards: Lists<ClauseId>,
    /// The clauses that each event waits for where nothing ever fails: its guards and what it requires.
    pub(crate) waits: Lists<ClauseId>,
    /// The requirements of each event, by their number.
    pub(crate) needs: Lists<u32>,
    /// The clauses in which each fact occurs.
    pub(crate) clauses_with: Lists<ClauseId>,
    /// The events that wait for each clause where nothing ever fails.
    pub(crate) waiting_for: Lists<Fact>,
    /// How long each event takes once it no longer waits.
    pub(crate) delays: PerFact<Delay>,
    /// Whether nobody brings the fact about.
    pub(crate) absent: PerFact<bool>,
    pub(crate) one_shots: Vec<OneShot>,
    pub(crate) intervals: Vec<Interval>,
    pub(crate) count: usize,
}

/// A clause that an event reads once, when it happens.
#[derive(Debug, Clone, Copy)]
pub struct OneShot {
    /// The event that reads.
    pub consumer: Fact,
    /// What it must find; a clause without facts cannot be found.
    pub provider: ClauseId,
    /// How it reads.
    pub reading: Reading,
    /// Whether a miss keeps the event from happening, so that no run goes on behind it.
    pub stops: bool,
}

/// A time in which an event fails: from when all of `open` have happened until `close` has.
#[derive(Debug, Clone)]
pub struct Interval {
    /// All of these have happened.
    pub open: Vec<ClauseId>,
    /// None of these has.
    pub close: ClauseId,
    /// The event that fails in between.
    pub victim: Fact,
    /// How it reads.
    pub reading: Reading,
}

/// What a run can break, by its position in the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Breach {
    /// A requirement is read before it is met.
    Requirement(usize),
    /// A victim happens inside its window.
    Window(usize),
}

impl System {
    /// Every fact.
    pub fn facts(&self) -> impl Iterator<Item = Fact> + use<> {
        (0..crate::lists::narrow(self.count)).map(Fact)
    }

    /// The facts of a clause.
    #[must_use]
    pub fn clause(&self, clause: ClauseId) -> &[Fact] {
        self.clauses.get(clause.0)
    }

    /// The clauses that an event waits for, whatever it reads.
    #[must_use]
    pub fn guards(&self, event: Fact) -> &[ClauseId] {
        self.guards.get(event.0)
    }

    /// The clauses that an event waits for where nothing ever fails.
    #[must_use]
    pub fn waits(&self, event: Fact) -> &[ClauseId] {
        self.waits.get(event.0)
    }

    /// What events read once.
    #[must_use]
    pub fn one_shots(&self) -> &[OneShot] {
        &self.one_shots
    }

    /// The windows.
    #[must_use]
    pub fn intervals(&self) -> &[Interval] {
        &self.intervals
    }
}
