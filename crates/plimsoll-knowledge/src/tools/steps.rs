//! The order of steps: when each begins, and when it has ended or succeeded.
//!
//! A script's own rules (POSIX shell, `set -e`) decide which step waits for which; the reader of the script has
//! already turned them into `after`. Here they become moments.

use super::{gates, helm, kubectl, skipped};
use crate::clocks;
use crate::known::Known;
use crate::view::View;
use plimsoll_model::Milestone::{Checked, Complete, Gone, Started, Stored, Submitted};
use plimsoll_model::{
    Action, Cause, Clause, Delay, Moment, ObjectId, Operation, Outcome, Reading, Removal, Step, StepIndex,
    Subject, Tool, Unit,
};
use rustc_hash::FxHashSet;

/// Adds the moments of every step and what the tools promise inside each.
pub(crate) fn promise(view: &View<'_>, known: &mut Known) {
    lose(view, known);
    for (index, step) in view.bundle.numbered_steps() {
        let begins = step.after.iter().map(|after| {
            let milestone = match after.outcome {
                Outcome::Succeeded => Complete,
                Outcome::Ended => Gone,
                Outcome::Begun => Started,
            };
            let over = Moment::step(after.step, milestone);
            match after.unless_skipped {
                Some(step) => skipped::or_skipped(over, step),
                None => Clause::one(over),
            }
        });
        add(known, Moment::step(index, Started), begins.collect(), Delay::NONE);
        match &step.action {
            Action::Deliver(unit) => deliver(view, index, step, unit, known),
            Action::Remove(removal) => kubectl::remove(index, removal, known),
            Action::Wait(gate) => gates::pass(view, index, step, gate, known),
            Action::Sleep(span) => {
                let asleep = Delay { low: *span, usual: *span, high: *span };
                for over in [Complete, Gone] {
                    add(known, Moment::step(index, over), vec![Moment::step(index, Started).into()], asleep);
                }
            }
            Action::Opaque(_) => end(index, Vec::new(), known),
        }
    }
    skipped::excuse(view, known);
}

fn deliver(view: &View<'_>, index: StepIndex, step: &Step, unit: &Unit, known: &mut Known) {
    let operation = unit.delivery.operation(view.scene.operation);
    match (unit.delivery.tool, operation) {
        (Tool::Kubectl, Operation::Install | Operation::Upgrade | Operation::Rollback) => {
            let pruned = kubectl::prune::pruned(view.bundle, index).objects;
            kubectl::deliver(index, step, unit, &pruned, known);
        }
        (Tool::Kubectl, Operation::Uninstall) => {
            let objects = unit.objects.iter().map(|object| object.id.clone()).collect();
            kubectl::remove(index, &Removal { objects, waits: true, ignores_missing: true }, known);
        }
        // A script takes a release away in several steps; one that creates runs hooks, and nothing else.
        (Tool::Helm, Operation::Uninstall) if view.scene.operation != Operation::Uninstall => {
            helm::deliver(index, step, (unit, &[]), operation, known);
        }
        (Tool::Helm, Operation::Install) => helm::deliver(index, step, (unit, &[]), operation, known),
        (Tool::Helm, Operation::Upgrade | Operation::Rollback) => {
            let dropped = super::dropped(view.bundle, index, unit);
            helm::deliver(index, step, (unit, &dropped), operation, known);
        }
        (Tool::Helm, Operation::Uninstall) => helm::remove(index, step, unit, known),
    }
}

/// kubectl goes on after a refusal: what is lost is the object, and the success of the whole command. In a loop that
/// ends with success, nothing is. A rule may know better what a refusal loses.
fn lose(view: &View<'_>, known: &mut Known) {
    let shared = acceptances(view, known);
    let windows = known.windows.iter_mut().map(|window| &mut window.requirement);
    for requirement in known.requirements.iter_mut().chain(windows) {
        if let (Subject::Request(step, id), Reading::Once | Reading::OnceForGood) =
            (&requirement.then.subject, requirement.reading)
        {
            if requirement.reading == Reading::Once && is_repeated(view, *step) {
                requirement.reading = clocks::SCRIPT_LOOP;
                requirement.lost.clear();
            } else if requirement.lost.is_empty() {
                let is_shared = shared.contains(&id.at(Stored));
                let object = if requirement.then.milestone == Checked && is_of_release(view, *step, id) {
                    Moment::step(*step, Submitted)
                } else if is_shared {
                    Moment::request(*step, id, Complete)
                } else {
                    id.at(Stored)
                };
                requirement.lost = vec![object, Moment::step(*step, Complete)];
            }
        }
    }
}

/// The objects that come about in several ways, and those of a tool that goes on only with what was accepted. A refused
/// request loses only its own, so each request for them gets a moment at which it is accepted.
fn acceptances(view: &View<'_>, known: &mut Known) -> FxHashSet<Moment> {
    let is_stored =
        |moment: &&Moment| moment.milestone == Stored && matches!(moment.subject, Subject::Object(_));
    let mut seen: FxHashSet<Moment> = FxHashSet::default();
    let by_helm = view.deliveries().iter().filter(|delivered| is_by_helm(view, delivered.step));
    seen.extend(by_helm.map(|delivered| delivered.object.id.at(Stored)));
    let stored = known.causes.iter().map(|cause| &cause.moment).filter(is_stored);
    let shared: FxHashSet<Moment> =
        stored.filter(|moment| !seen.insert((*moment).clone())).cloned().collect();
    let mut accepted = Vec::new();
    for cause in known.causes.iter_mut().filter(|cause| shared.contains(&cause.moment)) {
        for sent in cause.after.iter_mut().flat_map(|clause| &mut clause.0) {
            if let Subject::Request(step, id) = &sent.subject {
                let request = Moment::request(*step, id, Complete);
                accepted.push((request.clone(), std::mem::replace(sent, request)));
            }
        }
    }
    for (request, sent) in accepted {
        add(known, request, vec![sent.into()], Delay::NONE);
    }
    shared
}

fn is_repeated(view: &View<'_>, step: StepIndex) -> bool {
    view.delivery(step).is_some_and(|delivery| delivery.is_repeated)
}

fn is_by_helm(view: &View<'_>, step: StepIndex) -> bool {
    view.delivery(step).is_some_and(|delivery| delivery.tool == Tool::Helm)
}

/// Whether Helm looks up the kind of an object together with all others, before it sends any.
fn is_of_release(view: &View<'_>, step: StepIndex, id: &ObjectId) -> bool {
    is_by_helm(view, step) && view.object(id).is_some_and(helm::is_main)
}

/// The step succeeds once everything in `success` has happened; it ends with or without it.
pub(crate) fn end(index: StepIndex, success: Vec<Clause>, known: &mut Known) {
    let started = Clause::one(Moment::step(index, Started));
    let mut all = vec![started.clone()];
    all.extend(success);
    add(known, Moment::step(index, Complete), all, Delay::NONE);
    add(known, Moment::step(index, Gone), vec![started], Delay::NONE);
}

/// Adds one cause.
pub(crate) fn add(known: &mut Known, moment: Moment, after: Vec<Clause>, delay: Delay) {
    known.causes.push(Cause { moment, after, delay, carrier: None });
}
