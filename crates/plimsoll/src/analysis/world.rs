//! What is taken as given: what others provide, what is assumed, and what an earlier run has left.

use super::Settings;
use crate::object_pattern::ObjectPattern;
use plimsoll_knowledge::{Known, is_always_there};
use plimsoll_model::{Action, Bundle, Moment, Need, ObjectId, Operation, Subject};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// What is true before the run begins, and what of it somebody outside the input must have seen to.
#[derive(Debug, Default)]
pub(super) struct World {
    /// Moments that have come before the run.
    pub(super) given: Vec<Moment>,
    /// What must be there before, and who needs it.
    pub(super) needs: Vec<Need>,
    /// The assumptions that speak of nothing here.
    pub(super) idle: BTreeSet<String>,
}

/// Finds what is given for one operation.
pub(super) fn of(bundle: &Bundle, known: &Known, settings: &Settings, operation: Operation) -> World {
    let caused: FxHashSet<&Moment> = known.causes.iter().map(|cause| &cause.moment).collect();
    let mut given: BTreeSet<&Moment> = BTreeSet::new();
    let mut needed: BTreeMap<&Moment, BTreeSet<&ObjectId>> = BTreeMap::new();
    for moment in mentioned(known) {
        let Some(id) = moment.object() else { continue };
        let is_free = !caused.contains(moment);
        if settings.assumed.has(moment, id)
            || is_there(bundle, id)
            || (is_free && (is_always_there(id) || !settings.is_closed))
        {
            given.insert(moment);
        }
    }
    let delivered = delivered(bundle);
    let is_left = |id: &ObjectId| match &known.left {
        Some(left) => left.has(id),
        None => operation != Operation::Install && delivered.contains(id),
    };
    for requirement in requirements(known) {
        for moment in &requirement.first.0 {
            let Some(id) = moment.object() else { continue };
            if !caused.contains(moment)
                && !is_always_there(id)
                && !settings.is_closed
                && !is_left(id)
                && !settings.assumed.has(moment, id)
            {
                needed.entry(moment).or_default().extend(requirement.then.object());
            }
        }
    }
    if operation != Operation::Install {
        given.extend(left_by_an_earlier_run(bundle, known));
    }
    if operation == Operation::Uninstall {
        needed.clear();
    }
    let idle = idle(bundle, known, settings);
    World { given: given.into_iter().cloned().collect(), needs: needs(bundle, needed), idle }
}

/// What the input delivers, in whichever run.
fn delivered(bundle: &Bundle) -> FxHashSet<&ObjectId> {
    bundle.deliveries().map(|(_, object)| &object.id).collect()
}

/// After a first run everything is there, except what this run removes.
fn left_by_an_earlier_run<'a>(bundle: &Bundle, known: &'a Known) -> Vec<&'a Moment> {
    let removed: FxHashSet<&ObjectId> = bundle
        .steps
        .iter()
        .filter_map(|step| match &step.action {
            Action::Remove(removal) => Some(&removal.objects),
            _ => None,
        })
        .flatten()
        .collect();
    // What is declared otherwise now begins anew.
    let is_kept = |id: &ObjectId| known.left.as_ref().is_none_or(|left| left.keeps(id));
    let is_left = |moment: &&Moment| match &moment.subject {
        Subject::Object(id) => {
            moment.milestone != plimsoll_model::Milestone::Gone && !removed.contains(id) && is_kept(id)
        }
        _ => false,
    };
    known.causes.iter().map(|cause| &cause.moment).filter(is_left).collect()
}

/// Whether an operator that was said to be there defines it.
fn is_there(bundle: &Bundle, id: &ObjectId) -> bool {
    bundle.outside.iter().any(|outside| outside.is_there && outside.definition.id == *id)
}

/// The assumptions that no object of the input and nothing it needs is called by.
fn idle(bundle: &Bundle, known: &Known, settings: &Settings) -> BTreeSet<String> {
    let is_met = |pattern: &ObjectPattern| {
        bundle.deliveries().any(|(_, object)| pattern.matches(&object.id))
            || mentioned(known).filter_map(Moment::object).any(|id| pattern.matches(id))
    };
    let patterns = settings.assumed.asked().map(|assumed| &assumed.pattern);
    patterns.filter(|pattern| !is_met(pattern)).map(ToString::to_string).collect()
}

fn requirements(known: &Known) -> impl Iterator<Item = &plimsoll_model::Requirement> {
    known.requirements.iter().chain(known.windows.iter().map(|window| &window.requirement))
}

/// Every moment that something waits for or needs.
fn mentioned(known: &Known) -> impl Iterator<Item = &Moment> {
    let causes = known.causes.iter().flat_map(|cause| &cause.after).flat_map(|clause| &clause.0);
    let firsts = requirements(known).flat_map(|requirement| &requirement.first.0);
    let opens = known.windows.iter().flat_map(|window| &window.open).flat_map(|clause| &clause.0);
    let guarantees = known.guarantees.iter().flat_map(|guarantee| &guarantee.first);
    causes.chain(firsts).chain(opens).chain(guarantees)
}

fn needs(bundle: &Bundle, needed: BTreeMap<&Moment, BTreeSet<&ObjectId>>) -> Vec<Need> {
    let wanted: FxHashSet<_> = needed.keys().filter_map(|moment| moment.object()).map(alike).collect();
    let mut alikes: BTreeMap<_, BTreeSet<&ObjectId>> = BTreeMap::new();
    for (_, object) in bundle.deliveries().filter(|(_, object)| wanted.contains(&alike(&object.id))) {
        alikes.entry(alike(&object.id)).or_default().insert(&object.id);
    }
    let elsewhere = |needed: &ObjectId| -> Vec<ObjectId> {
        let found = alikes.get(&alike(needed)).into_iter().flatten();
        let is_apart = |id: &&&ObjectId| needed.namespace().is_some() && id.namespace() != needed.namespace();
        found.filter(is_apart).copied().cloned().collect()
    };
    needed
        .into_iter()
        .filter_map(|(moment, by)| {
            let object = moment.object()?.clone();
            let (elsewhere, by) = (elsewhere(&object), by.into_iter().cloned().collect());
            Some(Need { object, milestone: moment.milestone, by, elsewhere })
        })
        .collect()
}

/// What objects of the same name in several namespaces have in common.
fn alike(id: &ObjectId) -> (&str, &str, &str) {
    (id.group(), id.kind(), id.name())
}
