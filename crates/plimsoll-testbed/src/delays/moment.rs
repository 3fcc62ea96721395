//! A moment that the audit log shows: a request of a certain kind was answered.

use crate::audit::{Event, Stage};
use serde::Deserialize;
use serde_json::Value;

/// What a request and its answer are like.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Moment {
    /// `pods`, which is also their status; or with another subresource, `pods/binding`.
    resource: String,
    /// How the name begins.
    #[serde(default)]
    name: String,
    /// `create`, `update`, `delete`; any write without it.
    verb: Option<String>,
    /// The condition that is true afterwards.
    condition: Option<String>,
    /// A text that stands somewhere in the object.
    says: Option<String>,
    /// A field that is not empty, as a JSON pointer.
    has: Option<String>,
    /// Whether the request was refused.
    #[serde(default)]
    refused: bool,
}

impl Moment {
    /// Whether this is it, in a namespace or with a name that contains the namespace's.
    pub(super) fn is(&self, event: &Event, here: &str) -> bool {
        let Some(about) = &event.object else { return false };
        let (resource, subresource) = self.resource.split_once('/').unwrap_or((&self.resource, ""));
        let object = event.response_object.as_ref().unwrap_or(&Value::Null);
        let name = object.pointer("/metadata/name").and_then(Value::as_str).unwrap_or(&about.name);
        event.stage == Stage::ResponseComplete
            && event.is_write()
            && event.is_refused() == self.refused
            && self.verb.as_deref().is_none_or(|verb| verb == event.verb)
            && about.resource == resource
            && (about.subresource == subresource || about.subresource == "status" && subresource.is_empty())
            && (about.namespace == here || about.name.contains(here))
            && name.starts_with(&self.name)
            && self.condition.as_deref().is_none_or(|condition| has_condition(object, condition))
            && self.says.as_deref().is_none_or(|text| says(object, text))
            && self.has.as_deref().is_none_or(|path| object.pointer(path).is_some_and(is_something))
    }
}

fn has_condition(object: &Value, condition: &str) -> bool {
    let conditions = object.pointer("/status/conditions").and_then(Value::as_array);
    conditions.is_some_and(|all| all.iter().any(|one| one["type"] == condition && one["status"] == "True"))
}

fn says(value: &Value, text: &str) -> bool {
    match value {
        Value::String(string) => string.contains(text),
        Value::Array(items) => items.iter().any(|item| says(item, text)),
        Value::Object(map) => map.values().any(|value| says(value, text)),
        _ => false,
    }
}

fn is_something(value: &Value) -> bool {
    !matches!(value, Value::Null | Value::Bool(false)) && value.as_str() != Some("")
}
