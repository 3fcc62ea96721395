//! Races with their times.

use crate::fact::Fact;
use crate::retry::succeeds_at;
use crate::system::{Breach, System};
use crate::timeline::fails_at;
use crate::times::{Pace, Times};
use crate::withheld::{Query, Withholding};
use std::time::Duration;

/// A requirement or window that no chain of guarantees holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Race {
    /// The requirement or window, by its position in the question.
    pub breach: Breach,
    /// When the reader fails at the earliest, with every delay at its lowest value.
    pub fails_at: Duration,
    /// When what was missing comes, with usual delays and never before the failure; `None` if it never comes.
    pub arrival: Option<Duration>,
    /// Whether what was missing comes although the reader has failed. If not, a rerun never helps.
    pub recovers: bool,
    /// When the reader finds by itself what was missing; `None` if it never does.
    pub healed_at: Option<Duration>,
}

/// The times of broken pairs, given which of them recover.
pub(crate) fn timed(
    system: &System,
    broken: &[Breach],
    recovers: Vec<bool>,
    low: &Times,
    usual: &Times,
) -> Vec<Race> {
    let race = |((breach, recovers), fails_at): ((&Breach, bool), Duration)| {
        let arrival = arrival(system, *breach, usual, fails_at);
        let reading = system.reading(*breach);
        let healed_at = arrival.and_then(|arrival| succeeds_at(reading, fails_at, arrival, Pace::Usual));
        Race { breach: *breach, fails_at, arrival, recovers, healed_at }
    };
    broken.iter().zip(recovers).zip(failures(system, low, broken)).map(race).collect()
}

/// When what a breach misses comes at usual delays. Where that would be before the failure, only its last step is late.
pub(crate) fn arrival(
    system: &System,
    breach: Breach,
    usual: &Times,
    fails_at: Duration,
) -> Option<Duration> {
    let provider = system.provider(breach);
    let natural = usual.met(provider)?;
    let last = usual.met_by(provider).map(|fact| Pace::Usual.of(system.delays[fact])).unwrap_or_default();
    Some(if natural >= fails_at { natural } else { fails_at.saturating_add(last) })
}

/// When each breach fails at the earliest.
///
/// Mostly the cheapest way to the reader avoids what the breach withholds; that is asked for all of them together.
/// Only the others need times of their own.
fn failures(system: &System, low: &Times, broken: &[Breach]) -> Vec<Duration> {
    let queries: Vec<Query> = broken.iter().map(|pair| system.breaks(*pair)).collect();
    let cheapest = Withholding::with_choices(system, low.order.clone(), |clause| low.met_by(clause));
    let mut detour: Option<(Vec<Fact>, Times)> = None;
    let mut failures = Vec::with_capacity(broken.len());
    for ((pair, query), avoids) in broken.iter().zip(queries.iter()).zip(cheapest.answer(&queries)) {
        if avoids {
            failures.push(fails_at(system, *pair, low));
            continue;
        }
        let known = detour.take().filter(|(withheld, _)| *withheld == query.withheld);
        let (withheld, times) = known.unwrap_or_else(|| {
            let times = Times::among(system, Pace::Low, |fact| !query.withheld.contains(&fact));
            (query.withheld.clone(), times)
        });
        failures.push(fails_at(system, *pair, &times));
        detour = Some((withheld, times));
    }
    failures
}
