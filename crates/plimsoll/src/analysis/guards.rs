//! What looks like a guard and is none: a `sleep`, or a wait whose failure stops nothing.

use super::question::Asked;
use plimsoll_model::Milestone::Complete;
use plimsoll_model::{Action, Guard, Moment, ObjectId, Requirement, Step, StepIndex, Subject};

/// The false guard that a rule saw, or one that stands in the script between the two ends.
pub(super) fn that_is_none(asked: &Asked<'_>, requirement: &Requirement) -> Option<Guard> {
    if let Some(seen) = &requirement.false_guard {
        let (what, why_not) = seen.split_once(", but ").unwrap_or((seen, ""));
        return Some(Guard { what: what.to_owned(), why_not: why_not.to_owned() });
    }
    let last = asked.index.step(requirement.then.object()?)?;
    let needed = || requirement.first.0.iter().chain(&requirement.told);
    let mut providers: Vec<&ObjectId> = needed().filter_map(Moment::object).collect();
    providers.extend(needed().flat_map(|moment| asked.index.carriers(moment)));
    let first = providers.iter().filter_map(|id| asked.index.step(id)).min()?;
    let mut between = asked.bundle.numbered_steps().filter(|(index, _)| first < *index && *index < last);
    between.find_map(|(index, step)| false_guard(asked, &providers, index, step))
}

fn false_guard(asked: &Asked<'_>, providers: &[&ObjectId], index: StepIndex, step: &Step) -> Option<Guard> {
    let why_not = match &step.action {
        Action::Sleep => "it lets time pass and proves nothing; on a slow day it is too short",
        Action::Wait(_) if step.may_be_skipped => "the script may pass over it",
        Action::Wait(_) if looks_at(asked, providers, index) => {
            "its failure does not stop the script; `set -e`, or `|| exit 1` behind it, would"
        }
        _ => return None,
    };
    let at = step
        .place
        .map_or_else(String::new, |place| format!(" at {}:{}", asked.bundle.files.path(place), place.line));
    Some(Guard { what: format!("`{}`{at}", step.says), why_not: why_not.to_owned() })
}

/// Whether a wait looks at one of these objects.
fn looks_at(asked: &Asked<'_>, providers: &[&ObjectId], index: StepIndex) -> bool {
    let over = Moment { subject: Subject::Step(index), milestone: Complete };
    let causes = asked.known.causes.iter().filter(|cause| cause.moment == over);
    let mut awaited =
        causes.flat_map(|cause| &cause.after).flat_map(|clause| &clause.0).filter_map(Moment::object);
    awaited.any(|id| providers.contains(&id))
}
