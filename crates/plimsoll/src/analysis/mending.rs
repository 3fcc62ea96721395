//! What to do about a race, from how both ends are sent.

use super::guards::STOPS_NOTHING;
use super::question::Asked;
use plimsoll_knowledge::{Broken, Phases, Sending};
use plimsoll_model::{Action, Arranged, Change, Fix, Guard, Moment, Requirement, Safety, StepIndex, Subject};

/// The fixes of a race: what its rule says, or else an order that mends it.
pub(super) fn fixes(asked: &Asked<'_>, requirement: &Requirement, guard: Option<&Guard>) -> Vec<Fix> {
    if let Some(remedy) = &requirement.remedy {
        return vec![Fix::new(Safety::Manual, remedy.clone(), None)];
    }
    if let Some(guard) = guard.filter(|guard| guard.why_not == STOPS_NOTHING) {
        let summary = format!("let a failure of {} stop the script: put `set -e` at its top", guard.what);
        return vec![Fix::new(Safety::Review, summary, Some(Change::Stop))];
    }
    let Some(first) = requirement.needed() else { return Vec::new() };
    let carriers = asked.index.carriers(first);
    let producer = asked.index.producers(first).next();
    vec![plimsoll_knowledge::fix(&Broken {
        first,
        then: &requirement.then,
        who: &who(asked, &requirement.then),
        producer,
        behind: if producer.is_some() { &[] } else { &carriers },
        sending: sending(asked, first, &requirement.then),
    })]
}

/// What needs something, in words.
fn who(asked: &Asked<'_>, moment: &Moment) -> String {
    match &moment.subject {
        Subject::Object(id) | Subject::Request(_, id) => id.to_string(),
        Subject::Step(step) => {
            format!("`{}`", asked.bundle.step(*step).map(|step| asked.says(step)).unwrap_or_default())
        }
    }
}

fn sending<'a>(asked: &'a Asked<'_>, first: &Moment, then: &Moment) -> Sending<'a> {
    let Some(provider) = first.object() else { return Sending::Commands };
    let Some(sent) = asked.index.step(provider) else { return Sending::Nobody };
    let is_other_command = sending_step(asked, then) != Some(sent);
    if let Some(phases) = phases(asked, first, then) {
        return Sending::Release(phases);
    }
    let place = asked.index.place(provider);
    let needing = then.object().and_then(|id| asked.index.place(id));
    match (place, needing) {
        (Some(place), Some(needing)) if !is_other_command => Sending::Files {
            first: asked.bundle.files.path(place),
            then: asked.bundle.files.path(needing),
            is_alone: asked.index.is_alone_in(place.file),
            arranged: arranged(asked, sent),
        },
        _ => Sending::Commands,
    }
}

/// The phases of both ends, where one release sends them. What is made at run time comes with its maker.
pub(super) fn phases(asked: &Asked<'_>, first: &Moment, then: &Moment) -> Option<Phases> {
    let provider = asked.index.producers(first).next().or(first.object())?;
    let sent = asked.index.step(provider)?;
    let release = asked.releases.get(&sent)?;
    let needing = then.object().filter(|_| sending_step(asked, then) == Some(sent))?;
    release.phases(provider, needing)
}

/// What put the objects of a step into their order.
fn arranged(asked: &Asked<'_>, step: StepIndex) -> Arranged {
    match asked.bundle.step(step).map(|step| &step.action) {
        Some(Action::Deliver(unit)) => unit.delivery.arranged,
        _ => Arranged::AsWritten,
    }
}

fn sending_step(asked: &Asked<'_>, moment: &Moment) -> Option<StepIndex> {
    match &moment.subject {
        Subject::Step(step) | Subject::Request(step, _) => Some(*step),
        Subject::Object(id) => asked.index.step(id),
    }
}
