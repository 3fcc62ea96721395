//! Texts as values: YAML and JSON as Helm reads them, where every number is a `float64`, and TOML.

use crate::template::origin::ValuePlace;
use crate::template::value::{Item, List, Map, Value};
use plimsoll_model::{FileIndex, Node, Place, Value as Plain};
use serde_json::{Number, Value as Json};

/// The value of a YAML text, or what Helm's error says.
pub(crate) fn yaml(text: &str) -> Result<Value, String> {
    match plimsoll_yaml::value(text, FileIndex(0)) {
        Ok(node) => Ok(value(&node, &mut |_| ValuePlace::NONE).value),
        Err(fault) => {
            Err(format!("error converting YAML to JSON: yaml: line {}: {}", fault.place.line, fault.cause))
        }
    }
}

/// The value of a JSON text. The error begins as Go's does; the rest is in other words.
pub(crate) fn json(text: &str) -> Result<Value, String> {
    if text.trim().is_empty() {
        return Err("unexpected end of JSON input".to_owned());
    }
    match serde_json::from_str(text) {
        Ok(json) => Ok(json_value(json, |number| Value::Float(number.as_f64().unwrap_or_default()))),
        Err(error) => Err(format!("invalid JSON: {error}")),
    }
}

/// An object as JSON, where whole numbers stay whole, as in Kubernetes' own reader.
pub(crate) fn unstructured(text: &str) -> Result<Value, String> {
    let whole_or_float = |number: Number| match number.as_i64() {
        Some(whole) => Value::Int64(whole),
        None => Value::Float(number.as_f64().unwrap_or_default()),
    };
    serde_json::from_str(text)
        .map(|json| json_value(json, whole_or_float))
        .map_err(|error| format!("the cluster's answer is no JSON: {error}"))
}

fn json_value(json: Json, as_number: fn(Number) -> Value) -> Value {
    match json {
        Json::Null => Value::Nil,
        Json::Bool(value) => Value::Bool(value),
        Json::Number(number) => as_number(number),
        Json::String(text) => Value::from(text),
        Json::Array(items) => {
            List::of_any(items.into_iter().map(|item| json_value(item, as_number).into()).collect()).into()
        }
        Json::Object(entries) => {
            let entries = entries
                .into_iter()
                .map(|(key, json)| (key.as_str().into(), json_value(json, as_number).into()));
            Map::of_any(entries.collect()).into()
        }
    }
}

/// The value of a TOML text, where whole numbers stay whole.
pub(crate) fn toml(text: &str) -> Result<Value, String> {
    let table: toml::Table =
        text.parse().map_err(|error: toml::de::Error| format!("toml: {}", error.message()))?;
    Ok(toml_value(toml::Value::Table(table)))
}

fn toml_value(value: toml::Value) -> Value {
    match value {
        toml::Value::String(text) => Value::from(text),
        toml::Value::Integer(number) => Value::Int64(number),
        toml::Value::Float(number) => Value::Float(number),
        toml::Value::Boolean(value) => Value::Bool(value),
        toml::Value::Datetime(time) => Value::from(time.to_string()),
        toml::Value::Array(items) => {
            List::of_any(items.into_iter().map(|item| toml_value(item).into()).collect()).into()
        }
        toml::Value::Table(table) => {
            let entries =
                table.into_iter().map(|(key, value)| (key.as_str().into(), toml_value(value).into()));
            Map::of_any(entries.collect()).into()
        }
    }
}

/// Go's error for JSON of another type.
pub(crate) fn not_a(value: &Value, wanted: &str) -> String {
    let found = match value {
        Value::Bool(_) => "bool",
        Value::Text(_) => "string",
        Value::List(_) => "array",
        Value::Map(_) => "object",
        _ => "number",
    };
    format!(
        "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal {found} into Go value of type {wanted}"
    )
}

/// A tree as values; each place is noted.
pub(crate) fn value(tree: &Node, note: &mut impl FnMut(Place) -> ValuePlace) -> Item {
    #[expect(clippy::cast_precision_loss, reason = "JSON numbers become float64 in Go")]
    let plain = match &tree.value {
        Plain::Null => Value::Nil,
        Plain::Bool(value) => Value::Bool(*value),
        Plain::Int(value) => Value::Float(*value as f64),
        Plain::Uint(value) => Value::Float(*value as f64),
        Plain::Float(value) => Value::Float(*value),
        Plain::Text(text) => Value::from(&**text),
        Plain::Concealed(text) => Value::from(text.reveal()),
        Plain::List(items) => List::of_any(items.iter().map(|item| value(item, note)).collect()).into(),
        Plain::Map(entries) => {
            let entries =
                entries.iter().map(|(key, tree)| ((*key.text).into(), entry(key.place, tree, note)));
            Map::of_any(entries.collect()).into()
        }
    };
    Item::new(plain, note(tree.place))
}

/// An entry of a map: where it holds no map or list, the line of its key is the one to change.
fn entry(key: Place, tree: &Node, note: &mut impl FnMut(Place) -> ValuePlace) -> Item {
    let item = value(tree, note);
    Item { place: note(key), ..item }
}
