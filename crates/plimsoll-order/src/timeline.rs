//! A shortest order of events in which a requirement is read too early or a window catches its victim.
//!
//! The cheapest derivation of the reader's guards without the provider, less every event that the rest can do
//! without. What remains is 1-minimal: no single event can be left out.

use crate::fact::{ClauseId, Fact, PerFact};
use crate::minimal::minimise;
use crate::system::{Breach, System};
use crate::times::{Pace, Times};
use std::borrow::Cow;
use std::time::Duration;

/// The events up to a failure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prefix {
    /// The events before the failure, with their times at the lowest delays.
    pub events: Vec<(Fact, Duration)>,
    /// When the reader fails.
    pub fails_at: Duration,
}

/// The events that lead to a failure, if it can be reached. `low` are the system's times at the lowest pace.
#[must_use]
pub fn prefix(system: &System, pair: Breach, low: &Times) -> Option<Prefix> {
    let withheld = system.withheld(pair);
    let wanted: Vec<ClauseId> = system.wanted(pair).collect();
    let (mut events, mut times) = match cone(system, &wanted, low) {
        Some(events) if !events.iter().any(|event| withheld.contains(event)) => (events, Cow::Borrowed(low)),
        _ => {
            let without = Times::among(system, Pace::Low, |fact| !withheld.contains(&fact));
            (cone(system, &wanted, &without)?, Cow::Owned(without))
        }
    };
    loop {
        let kept = minimise(system, &events, &wanted);
        if kept.len() == events.len() {
            break;
        }
        // What was left out may have come first: the rest gets new times and with them, perhaps, a new order.
        times = Cow::Owned(Times::among(system, Pace::Low, |fact| kept.contains(&fact)));
        events.clone_from(&times.order);
    }
    let fails_at = fails_at(system, pair, &times);
    let events = events.into_iter().map(|event| (event, times.at(event).unwrap_or_default())).collect();
    Some(Prefix { events, fails_at })
}

/// When a pair breaks at the lowest delays, by times in which it can.
pub(crate) fn fails_at(system: &System, pair: Breach, times: &Times) -> Duration {
    let consumer = system.consumer(pair);
    let tries = times.latest(system.guards(consumer)).saturating_add(Pace::Low.of(system.delays[consumer]));
    system.wanted(pair).filter_map(|clause| times.met(clause)).fold(tries, Duration::max)
}

/// The cheapest derivation of some clauses, in the order of its events; nothing if one of them is never met.
pub(crate) fn cone(system: &System, wanted: &[ClauseId], times: &Times) -> Option<Vec<Fact>> {
    let mut seen = PerFact::all(false, system.count);
    let mut events = Vec::new();
    for clause in wanted {
        include(times.met_by(*clause)?, &mut seen, &mut events);
    }
    let mut next = 0;
    while let Some(&event) = events.get(next) {
        next += 1;
        for clause in system.waits(event) {
            include(times.met_by(*clause)?, &mut seen, &mut events);
        }
    }
    Some(times.order.iter().copied().filter(|event| seen[*event]).collect())
}

fn include(event: Fact, seen: &mut PerFact<bool>, events: &mut Vec<Fact>) {
    if !std::mem::replace(&mut seen[event], true) {
        events.push(event);
    }
}
