//! Texts as values: YAML and JSON as Helm reads them, where every number is a `float64`.

use crate::template::origin::ValuePlace;
use crate::template::value::{Item, List, Map, Value};
use plimsoll_model::{FileIndex, Node, Place, Value as Plain};

/// The value of a YAML text, or what Helm's error says.
pub(crate) fn yaml(text: &str) -> Result<Value, String> {
    match plimsoll_yaml::value(text, FileIndex(0)) {
        Ok(node) => Ok(value(&node, &mut |_| ValuePlace::NONE).value),
        Err(fault) => {
            Err(format!("error converting YAML to JSON: yaml: line {}: {}", fault.place.line, fault.cause))
        }
    }
}

/// The value of a JSON text. It is read as YAML, of which it is a part, once it looks like JSON.
pub(crate) fn json(text: &str) -> Result<Value, String> {
    let is_json = text
        .trim_start()
        .starts_with(['{', '[', '"', '-', 't', 'f', 'n', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
    if text.trim().is_empty() {
        return Err("unexpected end of JSON input".to_owned());
    }
    match plimsoll_yaml::value(text, FileIndex(0)) {
        Ok(node) if is_json => Ok(value(&node, &mut |_| ValuePlace::NONE).value),
        Ok(_) | Err(_) => {
            let first = text.trim_start().chars().next().unwrap_or_default();
            Err(format!("invalid character '{first}' looking for beginning of value"))
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
