//! One object: what it needs, what protects each need, and what it holds up.

use super::question::{self, Asked};
use super::{Link, Settings, telling, waits, why};
use crate::object_pattern::ObjectPattern;
use plimsoll_knowledge::is_always_there;
use plimsoll_model::{Bundle, Code, Finding, Moment, ObjectId, Operation, Place, Requirement};
use plimsoll_order::Flaw;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// What is known of one object.
#[derive(Debug, Clone)]
pub(crate) struct Explained {
    /// The object.
    pub(crate) object: ObjectId,
    /// Where it is declared.
    pub(crate) place: Option<Place>,
    /// What brings it, where that is another object.
    pub(crate) carriers: Vec<String>,
    /// What it needs.
    pub(crate) needs: Vec<Tie>,
    /// What needs it, or what it brings.
    pub(crate) holds_up: Vec<Tie>,
}

/// One need, seen from either end.
#[derive(Debug, Clone)]
pub(crate) struct Tie {
    /// The rule that knows of it.
    pub(crate) rule: Code,
    /// The rule's name.
    pub(crate) name: &'static str,
    /// What must come first: `Secret/shop/web-tls stored`.
    pub(crate) first: String,
    /// What needs it: `Deployment/shop/web started`.
    pub(crate) then: String,
    /// Where the need is written.
    pub(crate) place: Place,
    /// What protects it.
    pub(crate) protection: Protection,
}

/// What protects a need.
#[derive(Debug, Clone)]
pub(crate) enum Protection {
    /// These guarantees, in the order of time.
    Held(Vec<Link>),
    /// Nothing.
    Open(Box<Finding>),
    /// It is taken as being there before: who says so.
    Given(String),
}

/// Explains every object that goes by a name.
pub(crate) fn explain(
    bundle: &Bundle,
    settings: &Settings,
    pattern: &ObjectPattern,
) -> Result<Vec<Explained>, Flaw> {
    let operation = settings.operations.first().copied().unwrap_or(Operation::Install);
    let asked = question::ask(bundle, settings, operation)?;
    let given: FxHashSet<&Moment> = asked.world.given.iter().collect();
    let explainer = Explainer { asked: &asked, settings, given };
    let mut ids: BTreeSet<&ObjectId> = bundle.deliveries().map(|(_, object)| &object.id).collect();
    ids.extend(asked.known.causes.iter().filter_map(|cause| cause.moment.object()));
    let named = ids.into_iter().filter(|id| pattern.matches(id));
    named.map(|id| explainer.object(id)).collect()
}

struct Explainer<'a> {
    asked: &'a Asked<'a>,
    settings: &'a Settings,
    given: FxHashSet<&'a Moment>,
}

impl Explainer<'_> {
    fn object(&self, id: &ObjectId) -> Result<Explained, Flaw> {
        let (mut needs, mut holds_up) = (Vec::new(), Vec::new());
        for requirement in self.requirements() {
            let Some(first) = requirement.needed() else { continue };
            if first.object().is_some_and(is_always_there) {
                continue;
            }
            if requirement.then.object() == Some(id) {
                needs.push(self.tie(requirement, first)?);
            } else if first.object() == Some(id) || self.asked.index.carriers(first).contains(&id) {
                holds_up.push(self.tie(requirement, first)?);
            }
        }
        let stored = id.at(plimsoll_model::Milestone::Stored);
        Ok(Explained {
            object: id.clone(),
            place: self.asked.index.place(id),
            carriers: self.asked.index.producers(&stored).map(ToString::to_string).collect(),
            needs: sorted(needs),
            holds_up: sorted(holds_up),
        })
    }

    fn requirements(&self) -> impl Iterator<Item = &Requirement> {
        let known = &self.asked.known;
        known.requirements.iter().chain(known.windows.iter().map(|window| &window.requirement))
    }

    fn tie(&self, requirement: &Requirement, first: &Moment) -> Result<Tie, Flaw> {
        Ok(Tie {
            rule: requirement.rule,
            name: telling::rule_name(requirement.rule),
            first: why::words(self.asked, first),
            then: why::words(self.asked, &requirement.then),
            place: requirement.place,
            protection: self.protection(requirement, first)?,
        })
    }

    fn protection(&self, requirement: &Requirement, first: &Moment) -> Result<Protection, Flaw> {
        let is_this = |one: &Requirement| std::ptr::eq(one, requirement);
        let mut races = self.asked.races.iter();
        if let Some(race) = races.find(|race| self.asked.requirement(race).is_some_and(is_this)) {
            let mut finding = telling::finding(self.asked, requirement, race, true)?;
            waits::judge(self.asked, std::slice::from_mut(&mut finding));
            return Ok(Protection::Open(Box::new(finding)));
        }
        let said = first.object().and_then(|id| self.settings.assumed.of(id).next());
        Ok(match said {
            Some(assumed) if self.given.contains(first) => Protection::Given(
                assumed.by.clone().unwrap_or_else(|| format!("--assume {}", assumed.pattern)),
            ),
            _ if self.given.contains(first) => Protection::Given(String::new()),
            _ => Protection::Held(why::chain(self.asked, requirement)),
        })
    }
}

/// What is not held comes first, then by what is needed; each need once.
fn sorted(mut ties: Vec<Tie>) -> Vec<Tie> {
    let rank = |tie: &Tie| match tie.protection {
        Protection::Open(_) => 0,
        Protection::Given(_) => 1,
        Protection::Held(_) => 2,
    };
    ties.sort_by(|a, b| (rank(a), &a.first, &a.then, a.rule).cmp(&(rank(b), &b.first, &b.then, b.rule)));
    ties.dedup_by(|a, b| (a.rule, &a.first, &a.then) == (b.rule, &b.first, &b.then));
    ties
}
