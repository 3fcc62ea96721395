//! When each event happens at a given pace, and by which of its alternatives.
//!
//! Times are built from sums, maxima over what is waited for, minima over alternatives and the next try of a reader,
//! all of which only grow with their parts. So events can be settled in the order of their times, cheapest first.

use crate::fact::{ClauseId, Fact, PerClause, PerFact};
use crate::fixpoint::Countdown;
use crate::lists::narrow;
use crate::retry::succeeds_at;
use crate::system::System;
use plimsoll_model::{Delay, Reading};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Duration;

/// Which of its three values each delay has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// The shortest.
    Low,
    /// The usual one.
    Usual,
    /// The longest.
    High,
}

/// The time of each event at one pace.
#[derive(Debug, Clone)]
pub struct Times {
    /// The events that happen, earliest first.
    pub(crate) order: Vec<Fact>,
    at: PerFact<Option<Duration>>,
    /// The position of each event in `order`.
    pub(crate) rank: PerFact<u32>,
    /// The fact that meets each clause first.
    met_by: PerClause<Option<Fact>>,
}

impl Times {
    /// The times of a system at a pace.
    #[must_use]
    pub fn of(system: &System, pace: Pace) -> Self {
        Self::among(system, pace, |_| true)
    }

    /// The times of a system at a pace where only some events may happen.
    pub(crate) fn among(system: &System, pace: Pace, may_happen: impl Fn(Fact) -> bool) -> Self {
        let mut times = Self {
            order: Vec::with_capacity(system.count),
            at: PerFact::all(None, system.count),
            rank: PerFact::all(u32::MAX, system.count),
            met_by: PerClause::all(None, system.clauses.len()),
        };
        let mut countdown = Countdown::new(system);
        let mut queue = BinaryHeap::new();
        let may_happen = |fact: &Fact| may_happen(*fact);
        for event in system.facts().filter(|event| countdown.is_over(*event)).filter(may_happen) {
            queue.push(Reverse((times.ready(system, pace, event), event)));
        }
        let mut freed = Vec::new();
        while let Some(Reverse((time, event))) = queue.pop() {
            times.at[event] = Some(time);
            times.rank[event] = narrow(times.order.len());
            times.order.push(event);
            countdown.happen(event, |clause| times.met_by[clause] = Some(event), |event| freed.push(event));
            for event in freed.drain(..).filter(may_happen) {
                queue.push(Reverse((times.ready(system, pace, event), event)));
            }
        }
        times
    }

    /// When a fact comes about, if it does.
    #[must_use]
    pub fn at(&self, fact: Fact) -> Option<Duration> {
        self.at[fact]
    }

    /// When a clause is met, if it is.
    #[must_use]
    pub fn met(&self, clause: ClauseId) -> Option<Duration> {
        self.met_by[clause].and_then(|fact| self.at[fact])
    }

    /// The fact that meets a clause first.
    pub(crate) fn met_by(&self, clause: ClauseId) -> Option<Fact> {
        self.met_by[clause]
    }

    /// When an event happens whose waits are all over.
    fn ready(&self, system: &System, pace: Pace, event: Fact) -> Duration {
        let needs = system.needs.get(event.0).iter().filter_map(|need| system.one_shots.get(*need as usize));
        let repeated =
            |reading| !matches!(reading, Reading::Once | Reading::OnceSilently | Reading::OnceForGood);
        let (mut begins, mut repeats) = (self.latest(system.guards(event)), Vec::new());
        for need in needs.filter(|need| need.stops) {
            let arrival = self.met(need.provider).unwrap_or_default();
            if repeated(need.reading) {
                repeats.push((need.reading, arrival));
            } else {
                begins = begins.max(arrival);
            }
        }
        let tried = begins.saturating_add(pace.of(system.delays[event]));
        let found = |(reading, arrival): (Reading, Duration)| {
            succeeds_at(reading, tried, arrival, pace).unwrap_or(arrival)
        };
        repeats.into_iter().map(found).fold(tried, Duration::max)
    }

    /// When the last of some clauses is met.
    pub(crate) fn latest(&self, clauses: &[ClauseId]) -> Duration {
        clauses.iter().filter_map(|clause| self.met(*clause)).max().unwrap_or_default()
    }
}

impl Pace {
    /// A delay at this pace.
    pub(crate) fn of(self, delay: Delay) -> Duration {
        match self {
            Self::Low => delay.low,
            Self::Usual => delay.usual,
            Self::High => delay.high,
        }
    }
}
