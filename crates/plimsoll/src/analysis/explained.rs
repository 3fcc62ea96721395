//! One object: what it needs, what protects each need, and what it holds up.

use super::question::{self, Asked};
use super::{Link, Settings, operations, telling, waits, why};
use crate::object_pattern::ObjectPattern;
use plimsoll_knowledge::is_always_there;
use plimsoll_model::{Bundle, Code, Consequence, Finding, Moment, ObjectId, Operation, Place, Requirement};
use plimsoll_order::Flaw;
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

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
    /// What must come first, `Secret/shop/web-tls stored`; none if no order helps.
    pub(crate) first: Option<String>,
    /// What needs it: `Deployment/shop/web started`.
    pub(crate) then: String,
    /// Where the need is written.
    pub(crate) place: Place,
    /// What protects it.
    pub(crate) protection: Protection,
    /// The operations in which it is so; empty if it is in all that were looked at.
    pub(crate) operations: BTreeSet<Operation>,
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

/// Explains every object that goes by a name, in each operation that is looked at.
pub(crate) fn explain(
    bundle: &Bundle,
    settings: &Settings,
    pattern: &ObjectPattern,
) -> Result<Vec<Explained>, Flaw> {
    let operations = operations(bundle, settings);
    let mut all: BTreeMap<ObjectId, Explained> = BTreeMap::new();
    for operation in &operations {
        for explained in explain_in(bundle, settings, pattern, *operation)? {
            match all.entry(explained.object.clone()) {
                Entry::Vacant(place) => _ = place.insert(explained),
                Entry::Occupied(mut known) => known.get_mut().join(explained),
            }
        }
    }
    Ok(all.into_values().map(|explained| explained.told(&operations)).collect())
}

fn explain_in(
    bundle: &Bundle,
    settings: &Settings,
    pattern: &ObjectPattern,
    operation: Operation,
) -> Result<Vec<Explained>, Flaw> {
    let asked = question::ask(bundle, settings, operation)?;
    let given: FxHashSet<&Moment> = asked.world.given.iter().collect();
    let explainer = Explainer { asked: &asked, settings, given };
    let mut ids: BTreeSet<&ObjectId> = bundle.deliveries().map(|(_, object)| &object.id).collect();
    ids.extend(asked.known.causes.iter().filter_map(|cause| cause.moment.object()));
    let named = ids.into_iter().filter(|id| pattern.matches(id));
    named.map(|id| explainer.object(id)).collect()
}

impl Explained {
    /// Adds what another operation is like.
    fn join(&mut self, other: Self) {
        self.needs.extend(other.needs);
        self.holds_up.extend(other.holds_up);
    }

    /// Everything once and in order, with the operations where they differ.
    fn told(self, operations: &[Operation]) -> Self {
        let told = |ties| sorted(ties, operations);
        Self { needs: told(self.needs), holds_up: told(self.holds_up), ..self }
    }
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
            let first = requirement.needed();
            if first.and_then(Moment::object).is_some_and(is_always_there) {
                continue;
            }
            let is_brought =
                |first: &Moment| first.object() == Some(id) || self.asked.index.carriers(first).contains(&id);
            if requirement.then.object() == Some(id) {
                needs.extend(self.tie(requirement)?);
            } else if first.is_some_and(is_brought) {
                holds_up.extend(self.tie(requirement)?);
            }
        }
        let stored = id.at(plimsoll_model::Milestone::Stored);
        Ok(Explained {
            object: id.clone(),
            place: self.asked.index.place(id),
            carriers: self.asked.index.producers(&stored).map(ToString::to_string).collect(),
            needs,
            holds_up,
        })
    }

    fn requirements(&self) -> impl Iterator<Item = &Requirement> {
        let known = &self.asked.known;
        known.requirements.iter().chain(known.windows.iter().map(|window| &window.requirement))
    }

    /// A need that nothing can meet is told where it is broken; nothing is worth a word where it is not.
    fn tie(&self, requirement: &Requirement) -> Result<Option<Tie>, Flaw> {
        let needed = requirement.needed();
        let protection = match (self.open(requirement)?, needed) {
            (Some(finding), _) => Protection::Open(Box::new(finding)),
            (None, Some(first)) => self.protection(requirement, first),
            (None, None) => return Ok(None),
        };
        Ok(Some(Tie {
            rule: requirement.rule,
            name: telling::rule_name(requirement.rule),
            first: needed.map(|first| why::words(self.asked, first)),
            then: why::words(self.asked, &requirement.then),
            place: requirement.place,
            protection,
            operations: BTreeSet::from([self.asked.operation]),
        }))
    }

    fn open(&self, requirement: &Requirement) -> Result<Option<Finding>, Flaw> {
        let is_this = |one: &Requirement| std::ptr::eq(one, requirement);
        let mut races = self.asked.races.iter();
        let Some(race) = races.find(|race| self.asked.requirement(race).is_some_and(is_this)) else {
            return Ok(None);
        };
        let mut finding = telling::finding(self.asked, requirement, race, true)?;
        waits::judge(self.asked, std::slice::from_mut(&mut finding));
        Ok(Some(finding))
    }

    fn protection(&self, requirement: &Requirement, first: &Moment) -> Protection {
        if !self.given.contains(first) {
            return Protection::Held(why::chain(self.asked, requirement));
        }
        let said = first.object().and_then(|id| self.settings.assumed.of(id).next());
        Protection::Given(said.map_or_else(String::new, |assumed| {
            assumed.by.clone().unwrap_or_else(|| format!("--assume {}", assumed.pattern))
        }))
    }
}

/// What is not held comes first, then by what is needed; each need once, with the operations where it is not in all.
fn sorted(mut ties: Vec<Tie>, all: &[Operation]) -> Vec<Tie> {
    ties.sort_by(|a, b| a.key().cmp(&b.key()));
    ties.dedup_by(|next, kept| {
        let is_same = next.key() == kept.key();
        if is_same {
            kept.operations.append(&mut next.operations);
        }
        is_same
    });
    for tie in ties.iter_mut().filter(|tie| tie.operations.len() == all.len()) {
        tie.operations.clear();
    }
    ties
}

impl Tie {
    fn key(&self) -> (u8, Reverse<Option<Consequence>>, Option<&str>, &str, Code) {
        let (rank, consequence) = match &self.protection {
            Protection::Open(finding) => (0, Some(finding.consequence)),
            Protection::Given(_) => (1, None),
            Protection::Held(_) => (2, None),
        };
        (rank, Reverse(consequence), self.first.as_deref(), &self.then, self.rule)
    }
}
