//! Which moments of requests and commands the model orders, and whether they came in that order.

use super::{Judgement, Seen};
use jiff::Timestamp;
use plimsoll_knowledge::Known;
use plimsoll_model::Milestone::{Stored, Submitted};
use plimsoll_model::{Action, Moment, StepIndex, Subject};
use std::collections::{BTreeMap, BTreeSet};

/// What comes before what, by every guarantee and every cause without a choice.
pub(super) struct Promised<'a> {
    follows: BTreeMap<&'a Moment, BTreeSet<&'a Moment>>,
}

/// A request about an object: when it came, when it was answered, and where the model has it.
struct Sighting {
    submitted: Moment,
    stored: Moment,
    received: Timestamp,
    answered: Timestamp,
    position: (usize, usize),
}

impl<'a> Promised<'a> {
    pub(super) fn of(known: &'a Known) -> Self {
        let mut follows: BTreeMap<&Moment, BTreeSet<&Moment>> = BTreeMap::new();
        for guarantee in &known.guarantees {
            for first in &guarantee.first {
                follows.entry(first).or_default().extend(&guarantee.then);
            }
        }
        let mut causes: BTreeMap<&Moment, usize> = BTreeMap::new();
        known.causes.iter().for_each(|cause| *causes.entry(&cause.moment).or_default() += 1);
        for cause in known.causes.iter().filter(|cause| causes.get(&cause.moment) == Some(&1)) {
            for clause in &cause.after {
                if let [first] = clause.0.as_slice() {
                    follows.entry(first).or_default().insert(&cause.moment);
                }
            }
        }
        Self { follows }
    }

    /// Everything that comes after a moment.
    fn after(&self, moment: &'a Moment) -> BTreeSet<&'a Moment> {
        let mut found = BTreeSet::new();
        let mut waiting = vec![moment];
        while let Some(next) = waiting.pop() {
            for later in self.follows.get(next).into_iter().flatten() {
                if found.insert(*later) {
                    waiting.push(later);
                }
            }
        }
        found
    }

    /// Compares each pair of requests with the promise between them.
    pub(super) fn compare(&self, seen: &Seen<'_>, judgement: &mut Judgement) {
        let sightings = sightings(seen);
        judgement.tally.stored += sightings.len();
        for one in &sightings {
            let Some((stored, _)) = self.follows.get_key_value(&one.stored) else { continue };
            let after = self.after(stored);
            for other in &sightings {
                if after.contains(&other.submitted) {
                    promised(one, other, judgement);
                }
            }
        }
        self.count_free(&sightings, judgement);
    }

    /// Pairs that the model leaves open may come either way; both are counted.
    fn count_free(&self, sightings: &[Sighting], judgement: &mut Judgement) {
        let holds = |one: &Sighting, other: &Sighting| {
            let known = self.follows.get_key_value(&one.stored);
            known.is_some_and(|(stored, _)| self.after(stored).contains(&other.submitted))
        };
        for (at, one) in sightings.iter().enumerate() {
            for other in sightings.iter().skip(at + 1) {
                if one.position.0 == other.position.0 || holds(one, other) || holds(other, one) {
                    continue;
                }
                if one.received < other.received {
                    judgement.tally.free_as_written += 1;
                } else {
                    judgement.tally.free_other_way += 1;
                }
            }
        }
    }
}

fn promised(first: &Sighting, then: &Sighting, judgement: &mut Judgement) {
    judgement.tally.promised += 1;
    if then.received <= first.received {
        judgement.contradict(format!("{:?} came before {:?}", then.submitted, first.stored));
        return;
    }
    // The server notes the time of an answer after it was given, so a moment of overlap is no contradiction.
    let overlap = first.answered.duration_since(then.received).as_micros();
    judgement.tally.longest_overlap = judgement.tally.longest_overlap.max(overlap);
}

fn sightings(seen: &Seen<'_>) -> Vec<Sighting> {
    let mut sightings: Vec<Sighting> = Vec::new();
    for (number, step) in seen.bundle.steps.iter().enumerate() {
        let (Action::Deliver(unit), Ok(index)) = (&step.action, u32::try_from(number)) else { continue };
        for (place, object) in unit.objects.iter().enumerate() {
            let submitted = Moment::request(StepIndex(index), &object.id, Submitted);
            if let Some(request) = seen.trace(number).write(&object.id)
                && !sightings.iter().any(|known| known.submitted == submitted)
            {
                sightings.push(Sighting {
                    stored: Moment { subject: Subject::clone(&submitted.subject), milestone: Stored },
                    submitted,
                    received: request.received,
                    answered: request.answered,
                    position: (number, place),
                });
            }
        }
    }
    sightings
}
