//! What a tree of manifests says twice, and what that says of the tree.

use crate::tools;
use plimsoll_model::{
    Action, Arranged, Bundle, Confidence, Node, Object, ObjectId, Operation, Step, Tool, Unit, Value,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Whether a step stands for a tree that says one object in several ways in several folders. Such a tree is a
/// collection of examples or variants, and nobody said that all of it is applied together.
#[must_use]
pub fn is_collection(bundle: &Bundle, step: &Step) -> bool {
    let Action::Deliver(unit) = &step.action else { return false };
    let is_plain = unit.delivery.tool == Tool::Kubectl && unit.delivery.arranged == Arranged::AsWritten;
    step.place.is_none()
        && is_plain
        && contradictions(tools::sent(unit, Operation::Install))
            .into_iter()
            .any(|(first, second)| are_apart(bundle, [first, second]))
}

/// How sure it is that two declarations of a folder are meant to be sent in one command. A file that has nothing but
/// what another has is an alternative to it, as is one in another folder: people apply one or the other.
pub(crate) fn meant(bundle: &Bundle, unit: &Unit, both: [&Object; 2]) -> Confidence {
    let [first, second] = both.map(|object| object.place().file);
    if first == second {
        return Confidence::Proved;
    }
    let ids_in = |file| -> BTreeSet<&ObjectId> {
        let objects = unit.objects.iter().filter(|object| object.place().file == file);
        objects.map(|object| &object.id).collect()
    };
    let [one, other] = [first, second].map(ids_in);
    if are_apart(bundle, both) || one.is_subset(&other) || other.is_subset(&one) {
        Confidence::Heuristic
    } else {
        Confidence::Assumed
    }
}

fn are_apart(bundle: &Bundle, both: [&Object; 2]) -> bool {
    let [first, second] = both.map(|object| bundle.files.folder(object.place()));
    first != second
}

/// Each object that differs from the one before it of the same name.
pub(crate) fn contradictions(sent: Vec<&Object>) -> Vec<(&Object, &Object)> {
    let mut latest = FxHashMap::default();
    let named = sent.into_iter().filter(|object| object.text_at(&["metadata", "name"]).is_some());
    named
        .filter_map(|object| Some((latest.insert(&object.id, object)?, object)))
        .filter(|(first, second)| !is_same(first, second))
        .collect()
}

/// Whether two declarations say the same, wherever and in whatever order. A namespace that only one of them spells
/// out is no difference: it is part of the identity.
fn is_same(first: &Object, second: &Object) -> bool {
    let empty = Node { value: Value::Null, place: first.place() };
    let metadata = |object: &Object| object.root.get("metadata").cloned().unwrap_or_else(|| empty.clone());
    first.root.agrees(&second.root, |key| key != "metadata")
        && metadata(first).agrees(&metadata(second), |key| key != "namespace")
}
