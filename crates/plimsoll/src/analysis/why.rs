//! Why a pair is safe: the chain of guarantees that protects it.

use super::question::{self, Asked};
use super::{Link, Settings, WhyNot, telling};
use crate::object_pattern::ObjectPattern;
use plimsoll_model::{Bundle, Moment, ObjectId, Operation, Requirement, Subject};
use plimsoll_order::Ground;

/// Says what keeps `then` from coming before `first`.
pub(crate) fn why_not(bundle: &Bundle, settings: &Settings, first: &str, then: &str) -> WhyNot {
    let operation = settings.operations.first().copied().unwrap_or(Operation::Install);
    let asked = question::ask(bundle, settings, operation);
    let (Ok(first), Ok(then)) = (first.parse::<ObjectPattern>(), then.parse::<ObjectPattern>()) else {
        return WhyNot::Unknown("an object is written Kind/name or Kind/namespace/name".to_owned());
    };
    for pattern in [&first, &then] {
        if !knows(&asked, pattern) {
            return WhyNot::Unknown(format!("nothing in the input is called {pattern}"));
        }
    }
    let is_pair = |requirement: &Requirement| {
        let needs =
            requirement.first.0.iter().filter_map(Moment::object).any(|id| provides(&asked, &first, id));
        needs && requirement.then.object().is_some_and(|id| then.matches(id))
    };
    for race in &asked.races {
        if let Some(requirement) = asked.requirement(race).filter(|requirement| is_pair(requirement)) {
            return WhyNot::Open(Box::new(telling::finding(&asked, requirement, race, operation)));
        }
    }
    let mut requirements =
        asked.known.requirements.iter().chain(asked.known.windows.iter().map(|window| &window.requirement));
    match requirements.find(|requirement| is_pair(requirement)) {
        Some(requirement) => WhyNot::Held(chain(&asked, requirement)),
        None => WhyNot::NotNeeded,
    }
}

/// Whether a pattern names an object itself or what produces it.
fn provides(asked: &Asked<'_>, pattern: &ObjectPattern, id: &ObjectId) -> bool {
    let stored = id.at(plimsoll_model::Milestone::Stored);
    pattern.matches(id) || asked.index.producers(&stored).any(|producer| pattern.matches(producer))
}

fn knows(asked: &Asked<'_>, pattern: &ObjectPattern) -> bool {
    let delivered = asked.bundle.deliveries().any(|(_, object)| pattern.matches(&object.id));
    delivered
        || asked.known.causes.iter().filter_map(|cause| cause.moment.object()).any(|id| pattern.matches(id))
}

fn chain(asked: &Asked<'_>, requirement: &Requirement) -> Vec<Link> {
    let Some(first) = requirement.first.0.first() else { return Vec::new() };
    let links = asked.order.why_held(first, &requirement.then).unwrap_or_default();
    links
        .into_iter()
        .map(|link| {
            let guarantee = match link.ground {
                Ground::Guarantee(index) => asked.known.guarantees.get(index),
                Ground::Cause(_) | Ground::Requirement(_) => None,
            };
            Link {
                first: words(asked, &link.first),
                then: words(asked, &link.then),
                because: guarantee
                    .map_or_else(|| "it follows by itself".to_owned(), |one| one.because.to_string()),
                source: guarantee.map_or_else(String::new, |one| one.source.to_owned()),
                place: guarantee.and_then(|one| one.place),
            }
        })
        .collect()
}

fn words(asked: &Asked<'_>, moment: &Moment) -> String {
    match &moment.subject {
        Subject::Step(step) => {
            let says = asked.bundle.step(*step).map_or("", |step| step.says.as_str());
            format!("`{says}` {}", moment.milestone)
        }
        Subject::Object(id) | Subject::Request(_, id) => format!("{id} {}", moment.milestone),
    }
}
