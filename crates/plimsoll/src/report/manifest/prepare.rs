//! An object as the cluster would get it: with its namespace, and with the values of Secrets masked.

use plimsoll_model::{Key, Node, Object, Value};
use std::borrow::Cow;

/// Whether values of Secrets are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Secrets {
    /// As a mask.
    Masked,
    /// As they are.
    Shown,
}

const MASK: &str = "(hidden)";
/// Earlier versions of a Secret hide in this annotation, with their values.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// The declaration as it would be sent.
pub(super) fn prepared(object: &Object, secrets: Secrets) -> Cow<'_, Node> {
    let is_secret = object.id.is("", "Secret");
    let has_namespace = object.root.at(&["metadata", "namespace"]).is_some();
    let namespace = object.id.namespace().filter(|_| !has_namespace);
    // What is concealed is written as its mask anyway.
    let is_itself = secrets == Secrets::Masked || !conceals(&object.root);
    if namespace.is_none() && !is_secret && is_itself {
        return Cow::Borrowed(&object.root);
    }
    let mut root = uncovered(&object.root, secrets);
    if secrets == Secrets::Masked && is_secret {
        mask_secret(&mut root);
    }
    if let Some(namespace) = namespace {
        add_namespace(&mut root, namespace);
    }
    Cow::Owned(root)
}

/// Whether concealed text stands anywhere in it.
fn conceals(node: &Node) -> bool {
    match &node.value {
        Value::Concealed(_) => true,
        Value::List(items) => items.iter().any(conceals),
        Value::Map(entries) => entries.iter().any(|(_, value)| conceals(value)),
        _ => false,
    }
}

/// A copy in which concealed text is plain text: its mask, or itself where that was asked for.
fn uncovered(node: &Node, secrets: Secrets) -> Node {
    let value = match &node.value {
        Value::Concealed(concealed) => Value::Text(match secrets {
            Secrets::Masked => MASK.into(),
            Secrets::Shown => concealed.reveal().into(),
        }),
        Value::List(items) => Value::List(items.iter().map(|item| uncovered(item, secrets)).collect()),
        Value::Map(entries) => {
            Value::Map(entries.iter().map(|(key, value)| (key.clone(), uncovered(value, secrets))).collect())
        }
        other => other.clone(),
    };
    Node { value, place: node.place }
}

/// Masks by position too: a Secret may hold a number or a list where text belongs.
fn mask_secret(root: &mut Node) {
    for field in ["data", "stringData"] {
        if let Some(node) = child(root, field) {
            mask(node);
        }
    }
    let annotations = child(root, "metadata").and_then(|metadata| child(metadata, "annotations"));
    if let Some(node) = annotations.and_then(|annotations| child(annotations, LAST_APPLIED)) {
        mask(node);
    }
}

fn mask(node: &mut Node) {
    match &mut node.value {
        Value::Null => {}
        Value::Map(entries) => entries.iter_mut().for_each(|(_, value)| mask(value)),
        Value::List(items) => items.iter_mut().for_each(mask),
        value => *value = Value::Text(MASK.into()),
    }
}

fn child<'a>(node: &'a mut Node, key: &str) -> Option<&'a mut Node> {
    match &mut node.value {
        Value::Map(entries) => {
            entries.iter_mut().find(|(found, _)| &*found.text == key).map(|(_, value)| value)
        }
        _ => None,
    }
}

fn add_namespace(root: &mut Node, namespace: &str) {
    let Some(metadata) = child(root, "metadata") else {
        return;
    };
    let place = metadata.place;
    if let Value::Map(entries) = &mut metadata.value {
        entries.retain(|(key, _)| &*key.text != "namespace");
        let key = Key { text: "namespace".into(), place };
        entries.push((key, Node { value: Value::Text(namespace.into()), place }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_model::{Concealed, ObjectId, Place};

    fn node(value: Value) -> Node {
        Node { value, place: Place::default() }
    }

    fn map(entries: Vec<(&str, Node)>) -> Node {
        let entries = entries
            .into_iter()
            .map(|(text, node)| (Key { text: text.into(), place: Place::default() }, node))
            .collect();
        node(Value::Map(entries))
    }

    fn secret() -> Object {
        let annotations = map(vec![(LAST_APPLIED, node(Value::Text("CANARY-1".into())))]);
        let metadata = map(vec![("name", node(Value::Text("db".into()))), ("annotations", annotations)]);
        let data = map(vec![
            ("a", node(Value::Concealed(Concealed::new("CANARY-2".into())))),
            ("b", node(Value::List(vec![node(Value::Text("CANARY-3".into()))]))),
            ("c", node(Value::Int(4242))),
        ]);
        let root = map(vec![("metadata", metadata), ("data", data)]);
        Object::new(ObjectId::new("", "Secret", Some("shop"), "db"), "v1", root)
    }

    #[test]
    fn every_value_of_a_secret_is_masked_by_type_and_by_position() {
        let text = format!("{:?}", prepared(&secret(), Secrets::Masked));
        assert!(!text.contains("CANARY") && !text.contains("4242"), "{text}");
        let text = format!("{:?}", prepared(&secret(), Secrets::Shown));
        for shown in ["CANARY-1", "CANARY-2", "CANARY-3", "4242"] {
            assert!(text.contains(shown), "{shown} in {text}");
        }
    }

    #[test]
    fn the_namespace_is_filled_in() {
        let secret = secret();
        let prepared = prepared(&secret, Secrets::Masked);
        assert_eq!(prepared.text_at(&["metadata", "namespace"]), Some("shop"));
    }
}
