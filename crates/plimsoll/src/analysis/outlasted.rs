//! Races that a wait for something else outlasts: an API is served long before the pods of an operator are ready.
//!
//! A CRD is established within seconds of being stored (`crd_established`, `crd_discoverable` of the delays), and pods
//! are started and probed after that. So a wait for pods that begins once the CRD is stored leaves a gap that hardly
//! anybody meets; it is shown as such, and only to those who ask.

use super::question::Asked;
use plimsoll_model::Milestone::{Complete, Discoverable, Established, Ready, Started, Stored};
use plimsoll_model::{Guard, Moment, ObjectId, Requirement, StepIndex, Subject};

/// The wait that takes longer than what is missed, if it always comes between the two ends.
pub(super) fn by(asked: &Asked<'_>, requirement: &Requirement) -> Option<Guard> {
    let needed = requirement.needed()?;
    if !matches!(needed.milestone, Established | Discoverable) {
        return None;
    }
    let definition = needed.object()?;
    let stored = Moment::request(asked.index.step(definition)?, definition, Stored);
    let comes_between = |step: &StepIndex| {
        let (begun, over) = (Moment::step(*step, Started), Moment::step(*step, Complete));
        asked.order.why_held(&stored, &begun).is_some()
            && asked.order.why_held(&over, &requirement.then).is_some()
    };
    let step = waits_for_pods(asked).find(comes_between)?;
    let what = asked.bundle.step(step).map_or_else(String::new, |step| format!("`{}`", step.says));
    Some(Guard { what, why_not: "it waits for something else, which only takes longer".to_owned() })
}

/// The steps that end well only once pods are ready or have done their work.
fn waits_for_pods<'a>(asked: &'a Asked<'_>) -> impl Iterator<Item = StepIndex> + 'a {
    let over = asked.known.causes.iter().filter(|cause| cause.moment.milestone == Complete);
    over.filter_map(|cause| {
        let Subject::Step(step) = cause.moment.subject else { return None };
        let mut awaited = cause.after.iter().flat_map(|clause| &clause.0);
        awaited.any(|moment| waits_long(asked, moment)).then_some(step)
    })
}

/// Pods that this run brings; those of others may have been ready all along.
fn waits_long(asked: &Asked<'_>, moment: &Moment) -> bool {
    let makes_pods = |id: &ObjectId| {
        matches!(id.kind(), "Deployment" | "StatefulSet" | "DaemonSet" | "Job" | "Pod" | "ReplicaSet")
            && asked.index.step(id).is_some()
    };
    matches!(moment.milestone, Ready | Complete) && moment.object().is_some_and(makes_pods)
}
