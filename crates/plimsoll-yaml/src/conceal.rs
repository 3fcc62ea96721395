//! Conceals the values of Secrets in the tree.

use plimsoll_model::{Concealed, Node, Value};
use std::mem;

/// Where kubectl keeps a copy of what it applied, values included.
pub(super) const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// Conceals the values of every Secret of a document, also inside a List; says whether there was one.
#[must_use]
pub fn conceal(root: &mut Node) -> bool {
    let mut found = false;
    let mut waiting = vec![(root, false)];
    while let Some((node, is_listed)) = waiting.pop() {
        let kind = node.text_at(&["kind"]).unwrap_or_default();
        let is_secret = kind == "Secret" || (is_listed && kind.is_empty());
        let lists_secrets = kind == "SecretList";
        found |= is_secret || lists_secrets;
        let Value::Map(entries) = &mut node.value else {
            continue;
        };
        for (key, value) in entries {
            match &*key.text {
                "metadata" if is_secret => conceal_annotation(value),
                "items" => {
                    if let Value::List(items) = &mut value.value {
                        waiting.extend(items.iter_mut().map(|item| (item, lists_secrets)));
                    }
                }
                "apiVersion" | "kind" | "type" | "immutable" => {}
                // `data`, `stringData`, and whatever else somebody keeps there.
                _ if is_secret => conceal_all(value),
                _ => {}
            }
        }
    }
    found
}

fn conceal_annotation(metadata: &mut Node) {
    let Value::Map(entries) = &mut metadata.value else {
        return;
    };
    let annotations = entries.iter_mut().filter(|(key, _)| &*key.text == "annotations");
    for (_, annotations) in annotations {
        let Value::Map(entries) = &mut annotations.value else {
            continue;
        };
        for (key, value) in entries {
            if &*key.text == LAST_APPLIED {
                conceal_all(value);
            }
        }
    }
}

fn conceal_all(node: &mut Node) {
    let mut waiting = vec![node];
    while let Some(node) = waiting.pop() {
        if let Some(text) = take_text(&mut node.value) {
            node.value = Value::Concealed(Concealed::new(text));
            continue;
        }
        match &mut node.value {
            Value::List(items) => waiting.extend(items),
            Value::Map(entries) => waiting.extend(entries.iter_mut().map(|(_, value)| value)),
            _ => {}
        }
    }
}

fn take_text(value: &mut Value) -> Option<Box<str>> {
    match value {
        Value::Text(text) => Some(mem::take(text)),
        Value::Bool(value) => Some(value.to_string().into()),
        Value::Int(value) => Some(value.to_string().into()),
        Value::Uint(value) => Some(value.to_string().into()),
        Value::Float(value) => Some(value.to_string().into()),
        Value::Null | Value::Concealed(_) | Value::List(_) | Value::Map(_) => None,
    }
}
