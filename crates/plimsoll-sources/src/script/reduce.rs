//! What a step waits for without what follows from the rest.

use super::state::covers;
use plimsoll_model::{After, Outcome, Step, StepIndex};
use std::collections::BTreeMap;

/// Drops what follows from the rest; by way of a step that may be skipped only what is of its branch.
pub(super) fn reduce(steps: &mut [Step], base: usize) {
    let full: Vec<Seen> = steps.iter().map(Seen::of).collect();
    for step in steps.iter_mut().skip(base) {
        let all = step.after.clone();
        step.after.retain(|edge| !all.iter().rev().any(|via| follows(&full, edge, via)));
    }
}

/// Whether what one edge says follows from another, by what the step behind that one waits for itself.
fn follows(full: &[Seen], edge: &After, via: &After) -> bool {
    let Some(between) = full.get(via.step.0 as usize) else { return false };
    let is_sure = match via.unless_skipped {
        None => !between.may_be_skipped,
        branch => branch == edge.unless_skipped,
    };
    let mut kinds = std::iter::once(None).chain(edge.unless_skipped.map(Some));
    is_sure && kinds.any(|unless_skipped| between.covers(edge, unless_skipped))
}

/// A step as it was before anything was dropped.
struct Seen {
    after: BTreeMap<(StepIndex, Option<StepIndex>), Outcome>,
    may_be_skipped: bool,
}

impl Seen {
    fn of(step: &Step) -> Self {
        let after = step.after.iter().map(|edge| ((edge.step, edge.unless_skipped), edge.outcome)).collect();
        Self { after, may_be_skipped: step.may_be_skipped }
    }

    fn covers(&self, edge: &After, unless_skipped: Option<StepIndex>) -> bool {
        let outcome = self.after.get(&(edge.step, unless_skipped));
        outcome.is_some_and(|outcome| covers(*outcome, edge.outcome))
    }
}
