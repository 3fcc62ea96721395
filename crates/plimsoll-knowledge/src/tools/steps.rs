//! The order of steps: when each begins, and when it has ended or succeeded.
//!
//! A script's own rules (POSIX shell, `set -e`) decide which step waits for which; the reader of the script has
//! already turned them into `after`. Here they become moments.

use super::{gates, kubectl};
use crate::known::{Known, Refusals};
use crate::view::View;
use plimsoll_model::Milestone::{Complete, Gone, Started};
use plimsoll_model::{Action, Cause, Clause, Delay, Moment, Operation, Outcome, Removal, Step, StepIndex};

/// Adds the moments of every step and what the tools promise inside each.
pub(crate) fn promise(view: &View<'_>, refusals: &Refusals, known: &mut Known) {
    for (index, step) in view.bundle.numbered_steps() {
        let begins = step.after.iter().map(|after| {
            let milestone = match after.outcome {
                Outcome::Succeeded => Complete,
                Outcome::Ended => Gone,
                Outcome::Begun => Started,
            };
            Clause::one(Moment::step(after.step, milestone))
        });
        add(known, Moment::step(index, Started), begins.collect(), Delay::NONE);
        match &step.action {
            Action::Deliver(unit) if view.scene.operation == Operation::Uninstall => {
                let objects = unit.objects.iter().map(|object| object.id.clone()).collect();
                kubectl::remove(index, &Removal { objects, waits: true }, known);
            }
            Action::Deliver(unit) => kubectl::deliver(index, step, unit, refusals, known),
            Action::Remove(removal) => kubectl::remove(index, removal, known),
            Action::Wait(gate) => gates::pass(view, index, step, gate, known),
            Action::Sleep | Action::Opaque(_) => end(index, step, Vec::new(), known),
        }
    }
}

/// The step succeeds once everything in `success` has happened; it ends with or without it.
pub(crate) fn end(index: StepIndex, step: &Step, success: Vec<Clause>, known: &mut Known) {
    let started = Clause::one(Moment::step(index, Started));
    let mut all = vec![started.clone()];
    if !step.may_be_skipped {
        all.extend(success);
    }
    add(known, Moment::step(index, Complete), all, Delay::NONE);
    add(known, Moment::step(index, Gone), vec![started], Delay::NONE);
}

/// Adds one cause.
pub(crate) fn add(known: &mut Known, moment: Moment, after: Vec<Clause>, delay: Delay) {
    known.causes.push(Cause { moment, after, delay, carrier: None });
}
