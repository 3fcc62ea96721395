//! Schemas that no API server takes: unknown types and words, and schemas that are not structural.
//!
//! Read from `k8s.io/apiextensions-apiserver` v0.36.4 `pkg/apis/apiextensions/validation/validation.go`
//! (`ValidateCustomResourceDefinitionOpenAPISchema`) and `pkg/apiserver/schema/validation.go` (`ValidateStructural`).

use super::Faults;
use plimsoll_model::{Node, Value};

const TYPES: [&str; 6] = ["array", "boolean", "integer", "number", "object", "string"];
/// Words of JSON Schema that Kubernetes does not take.
const UNSUPPORTED: [&str; 6] =
    ["$ref", "additionalItems", "definitions", "dependencies", "id", "patternProperties"];
/// What may stand only outside of `allOf`, `anyOf`, `oneOf` and `not`.
const OUTSIDE_ONLY: [&str; 4] = ["type", "additionalProperties", "title", "description"];
const JUNCTORS: [&str; 3] = ["allOf", "anyOf", "oneOf"];

/// Where a schema stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Root,
    Inner,
    /// Below `allOf`, `anyOf`, `oneOf` or `not`.
    Nested,
}

/// Checks the schema of a version.
pub(super) fn check(root: &Node, faults: &mut Faults) {
    check_at(root, Level::Root, faults);
}

fn check_at(schema: &Node, level: Level, faults: &mut Faults) {
    let Value::Map(entries) = &schema.value else {
        return faults.add(schema.place, "a schema must be a map");
    };
    for (key, value) in entries.iter().filter(|(_, value)| !value.is_null()) {
        if UNSUPPORTED.contains(&&*key.text) && !value.is_empty() {
            faults.add(key.place, format!("{} is not supported in a schema", key.text));
        }
        if level == Level::Nested && OUTSIDE_ONLY.contains(&&*key.text) && !value.is_empty() {
            let outside = "must not stand below allOf, anyOf, oneOf or not (the schema is not structural)";
            faults.add(key.place, format!("{} {outside}", key.text));
        }
    }
    if schema.bool_at(&["uniqueItems"]) == Some(true) {
        faults.add(super::nearest(schema, &["uniqueItems"]), "uniqueItems cannot be true");
    }
    check_type(schema, level, faults);
    check_properties(schema, level, faults);
    check_items(schema, level, faults);
    check_junctors(schema, faults);
}

fn check_type(schema: &Node, level: Level, faults: &mut Faults) {
    let place = super::nearest(schema, &["type"]);
    let is_true = |key: &str| schema.bool_at(&[key]) == Some(true);
    match schema.get("type") {
        Some(node) if node.text().is_none() => faults.add(place, "type must be one word"),
        Some(node) if !node.text().is_some_and(|word| word.is_empty() || TYPES.contains(&word)) => {
            let word = node.text().unwrap_or_default();
            faults.add(place, format!("`{word}` is no type; the types are: {}", TYPES.join(", ")));
        }
        Some(node) if level == Level::Root && node.text() != Some("object") => {
            faults.add(place, "the type at the root of a schema must be object");
        }
        None if level != Level::Nested
            && !is_true("x-kubernetes-int-or-string")
            && !is_true("x-kubernetes-preserve-unknown-fields") =>
        {
            faults.add(place, "this schema has no type (it is not structural)");
        }
        _ => {}
    }
}

fn check_properties(schema: &Node, level: Level, faults: &mut Faults) {
    let inner = if level == Level::Nested { Level::Nested } else { Level::Inner };
    if let Some(properties) = schema.get("properties") {
        if !matches!(properties.value, Value::Map(_)) {
            return faults.add(properties.place, "properties must be a map");
        }
        properties.entries().iter().for_each(|(_, property)| check_at(property, inner, faults));
    }
    let Some(additional) = schema.get("additionalProperties") else { return };
    let has_properties = schema.get("properties").is_some_and(|properties| !properties.is_empty());
    if level == Level::Root {
        faults.add(additional.place, "additionalProperties must not be used at the root");
    } else if has_properties && additional.value != Value::Bool(true) {
        faults.add(additional.place, "properties and additionalProperties exclude each other");
    }
    if matches!(additional.value, Value::Map(_)) && level != Level::Nested {
        check_at(additional, Level::Inner, faults);
    }
}

fn check_items(schema: &Node, level: Level, faults: &mut Faults) {
    let inner = if level == Level::Nested { Level::Nested } else { Level::Inner };
    match schema.get("items") {
        Some(items) if matches!(items.value, Value::List(_)) => {
            faults.add(items.place, "items must be a schema and not a list");
        }
        Some(items) => check_at(items, inner, faults),
        None if schema.text_at(&["type"]) == Some("array") && level != Level::Nested => {
            faults.add(super::nearest(schema, &["type"]), "an array needs items");
        }
        None => {}
    }
}

fn check_junctors(schema: &Node, faults: &mut Faults) {
    for word in JUNCTORS {
        let branches = schema.list_at(&[word]);
        if word == "anyOf" && is_integer_or_text(branches) {
            continue;
        }
        for (number, branch) in branches.iter().enumerate() {
            let is_pattern = word == "allOf" && number == 0 && is_integer_or_text(branch.list_at(&["anyOf"]));
            if !is_pattern {
                check_at(branch, Level::Nested, faults);
            }
        }
    }
    if let Some(not) = schema.get("not") {
        check_at(not, Level::Nested, faults);
    }
}

/// The one form in which types may stand below `anyOf`: an integer or a text.
fn is_integer_or_text(branches: &[Node]) -> bool {
    let is_type =
        |node: &Node, word: &str| node.entries().len() == 1 && node.text_at(&["type"]) == Some(word);
    matches!(branches, [first, second] if is_type(first, "integer") && is_type(second, "string"))
}
