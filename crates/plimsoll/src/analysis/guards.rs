//! What looks like a guard and is none: a `sleep`, or a wait whose failure stops nothing.

use super::question::Asked;
use plimsoll_model::Milestone::Complete;
use plimsoll_model::{Action, Guard, Moment, ObjectId, Requirement, Step, StepIndex, Subject};

/// Why a wait of a script does not hold where it is the right one.
pub(super) const STOPS_NOTHING: &str =
    "its failure does not stop the script; `set -e`, or `|| exit 1` behind it, would";

/// Why a wait does not hold that looks at the right object and sees something else.
const OTHER_CONDITION: &str = "it waits for another condition than the one that is needed";

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
    let needed: Vec<&Moment> = needed().collect();
    between.find_map(|(index, step)| false_guard(asked, (&needed, &providers), index, step))
}

fn false_guard(
    asked: &Asked<'_>,
    (needed, providers): (&[&Moment], &[&ObjectId]),
    index: StepIndex,
    step: &Step,
) -> Option<Guard> {
    let why_not = match &step.action {
        Action::Sleep(_) => "it lets time pass and proves nothing; on a slow day it is too short",
        Action::Wait(_) if step.may_be_skipped => "the script may pass over it",
        Action::Wait(_) => {
            let awaited = awaited(asked, index);
            let is_of = |id: &ObjectId| awaited.iter().any(|moment| moment.object() == Some(id));
            let is_proof = awaited.iter().any(|moment| needed.contains(moment));
            let is_about_needed = needed.iter().filter_map(|moment| moment.object()).any(is_of);
            if !providers.iter().any(|id| is_of(id)) {
                return None;
            }
            if is_about_needed && !is_proof { OTHER_CONDITION } else { STOPS_NOTHING }
        }
        _ => return None,
    };
    let at = step
        .place
        .map_or_else(String::new, |place| format!(" at {}:{}", asked.bundle.files.path(place), place.line));
    Some(Guard { what: format!("`{}`{at}", step.says), why_not: why_not.to_owned() })
}

/// What a wait has seen when it ends with success.
fn awaited<'a>(asked: &'a Asked<'_>, index: StepIndex) -> Vec<&'a Moment> {
    let over = Moment { subject: Subject::Step(index), milestone: Complete };
    let causes = asked.known.causes.iter().filter(|cause| cause.moment == over);
    causes.flat_map(|cause| &cause.after).flat_map(|clause| &clause.0).collect()
}
