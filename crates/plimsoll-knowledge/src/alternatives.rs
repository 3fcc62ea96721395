//! What a tree of manifests says twice, and what that says of the tree.

use crate::tools;
use plimsoll_model::{
    Action, Arranged, Bundle, Confidence, Key, Node, Object, ObjectId, Operation, Step, Tool, Unit, Value,
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
    agree(&first.root, &second.root, "metadata") && agree(&metadata(first), &metadata(second), "namespace")
}

/// Each value is looked at once: twice at every level would never end with the schema of a definition.
fn agree(first: &Node, second: &Node, but: &str) -> bool {
    let is_said = |(key, value): &&(Key, Node)| &*key.text != but && !value.is_null();
    let said = || first.entries().iter().filter(is_said);
    said().count() == second.entries().iter().filter(is_said).count()
        && said().all(|(key, value)| second.get(&key.text).is_some_and(|other| says_the_same(value, other)))
}

fn says_the_same(first: &Node, second: &Node) -> bool {
    match (&first.value, &second.value) {
        (Value::Map(_), Value::Map(_)) => agree(first, second, ""),
        (Value::List(first), Value::List(second)) => {
            first.len() == second.len()
                && first.iter().zip(second).all(|(first, second)| says_the_same(first, second))
        }
        (first, second) => first == second,
    }
}

#[cfg(test)]
mod tests {
    use super::says_the_same;
    use crate::sample;
    use serde_json::{Value, json};

    #[test]
    fn a_deep_schema_is_compared_in_no_time() {
        let deep = (0..60).fold(json!("string"), |inner, _| json!({ "properties": inner }));
        assert!(says_the_same(&sample::node(&deep), &sample::node(&deep)));
    }

    #[test]
    fn a_key_that_only_one_of_them_has_is_a_difference() {
        let same = |first: &Value, second: &Value| says_the_same(&sample::node(first), &sample::node(second));
        let (small, large) = (json!({ "a": 1 }), json!({ "a": 1, "b": 2 }));
        assert!(!same(&small, &large) && !same(&large, &small));
        assert!(same(&small, &json!({ "a": 1, "b": null })), "null is what is not there");
    }
}
