//! Why a pair is safe: the chain of guarantees that protects it.

use super::question::{self, Asked};
use super::{Link, Settings, WhyNot, telling, waits};
use crate::object_pattern::ObjectPattern;
use plimsoll_model::{Bundle, Milestone, Moment, ObjectId, Operation, Place, Requirement, Subject};
use plimsoll_order::{Flaw, Ground};

/// Says what keeps `then` from coming before `first`.
pub(crate) fn why_not(bundle: &Bundle, settings: &Settings, first: &str, then: &str) -> Result<WhyNot, Flaw> {
    let operation = settings.operations.first().copied().unwrap_or(Operation::Install);
    let asked = question::ask(bundle, settings, operation)?;
    let (Ok(first), Ok(then)) = (first.parse::<ObjectPattern>(), then.parse::<ObjectPattern>()) else {
        return Ok(WhyNot::Unknown("an object is written Kind/name or Kind/namespace/name".to_owned()));
    };
    for pattern in [&first, &then] {
        if !knows(&asked, pattern) {
            let is_given = asked.world.needs.iter().any(|need| pattern.matches(&need.object));
            let reason =
                if is_given { "is taken as being there before" } else { "is in no way needed either" };
            return Ok(WhyNot::Unknown(format!("nothing in the input is called {pattern}; it {reason}")));
        }
    }
    let is_pair = |requirement: &Requirement| {
        let needs =
            requirement.first.0.iter().filter_map(Moment::object).any(|id| provides(&asked, &first, id));
        needs && requirement.then.object().is_some_and(|id| then.matches(id))
    };
    for race in &asked.races {
        if let Some(requirement) = asked.requirement(race).filter(|requirement| is_pair(requirement)) {
            let mut finding = telling::finding(&asked, requirement, race, true)?;
            waits::judge(&asked, std::slice::from_mut(&mut finding));
            return Ok(WhyNot::Open(Box::new(finding)));
        }
    }
    let mut requirements =
        asked.known.requirements.iter().chain(asked.known.windows.iter().map(|window| &window.requirement));
    Ok(match requirements.find(|requirement| is_pair(requirement)) {
        Some(requirement) => WhyNot::Held(chain(&asked, requirement)),
        None => WhyNot::NotNeeded,
    })
}

/// Whether a pattern names an object itself or what produces it.
fn provides(asked: &Asked<'_>, pattern: &ObjectPattern, id: &ObjectId) -> bool {
    let stored = id.at(Milestone::Stored);
    pattern.matches(id) || asked.index.producers(&stored).any(|producer| pattern.matches(producer))
}

fn knows(asked: &Asked<'_>, pattern: &ObjectPattern) -> bool {
    let delivered = asked.bundle.deliveries().any(|(_, object)| pattern.matches(&object.id));
    delivered
        || asked.known.causes.iter().filter_map(|cause| cause.moment.object()).any(|id| pattern.matches(id))
}

/// The guarantees by which a requirement holds, in the order of time.
pub(super) fn chain(asked: &Asked<'_>, requirement: &Requirement) -> Vec<Link> {
    let Some(first) = requirement.first.0.first() else { return Vec::new() };
    let mut links: Vec<Link> = Vec::new();
    let mut last: Option<plimsoll_order::Link> = None;
    for link in asked.order.why_held(first, &requirement.then).unwrap_or_default() {
        match (&last, links.last_mut()) {
            (Some(before), Some(told)) if is_own_life(before) && is_own_life(&link) => {
                told.then = words(asked, &link.then);
            }
            _ => links.push(tell(asked, &link)),
        }
        last = Some(link);
    }
    links
}

/// Whether one moment of an object, or of its own request, follows another by itself.
fn is_own_life(link: &plimsoll_order::Link) -> bool {
    matches!(link.ground, Ground::Cause(_))
        && link.first.object().is_some()
        && link.first.object() == link.then.object()
}

fn tell(asked: &Asked<'_>, link: &plimsoll_order::Link) -> Link {
    let guarantee = match link.ground {
        Ground::Guarantee(index) => asked.known.guarantees.get(index),
        Ground::Cause(_) | Ground::Requirement(_) => None,
    };
    Link {
        first: words(asked, &link.first),
        then: words(asked, &link.then),
        because: guarantee.map_or_else(|| by_itself(link).to_owned(), |one| one.because.to_string()),
        source: guarantee.map_or_else(String::new, |one| one.source.to_owned()),
        place: guarantee.and_then(|one| one.place).or_else(|| step_place(asked, &link.then)),
    }
}

/// Why a moment comes only after another without a tool's promise.
fn by_itself(link: &plimsoll_order::Link) -> &'static str {
    match (&link.first.subject, &link.then.subject, link.ground) {
        (_, _, Ground::Requirement(_)) => "without it, it fails or waits",
        (Subject::Object(_), Subject::Step(_), _) => "the wait ends with success only when this is seen",
        (Subject::Step(_), Subject::Step(_), _) if link.first.milestone == Milestone::Complete => {
            "the next command runs only if this one succeeded"
        }
        (Subject::Step(_), Subject::Step(_), _) => "the shell runs one command after the other",
        (Subject::Request(..), Subject::Step(_), _) => "the command succeeds only if the request did",
        (Subject::Step(_), _, _) => "it is part of this command",
        _ if is_own_life(link) => "its own life goes this way",
        _ => "it is brought about by this",
    }
}

fn step_place(asked: &Asked<'_>, moment: &Moment) -> Option<Place> {
    match moment.subject {
        Subject::Step(step) => asked.bundle.step(step)?.place,
        _ => None,
    }
}

/// A moment in words.
pub(super) fn words(asked: &Asked<'_>, moment: &Moment) -> String {
    match &moment.subject {
        Subject::Step(step) => {
            let says = asked.bundle.step(*step).map(|step| asked.says(step)).unwrap_or_default();
            format!("`{says}` {}", moment.milestone)
        }
        Subject::Object(id) | Subject::Request(_, id) => format!("{id} {}", moment.milestone),
    }
}
