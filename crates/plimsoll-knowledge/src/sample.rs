//! Objects and bundles for tests, from JSON.

use plimsoll_model::{Action, Bundle, Delivery, Key, Node, Object, ObjectId, Place, Step, Tool, Unit, Value};
use serde_json::Value as Json;

/// A tree without places.
pub(crate) fn node(json: &Json) -> Node {
    let value = match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => Value::Int(number.as_i64().expect("a whole number")),
        Json::String(text) => Value::Text(text.as_str().into()),
        Json::Array(items) => Value::List(items.iter().map(node).collect()),
        Json::Object(entries) => {
            let key = |text: &str| Key { text: text.into(), place: Place::default() };
            Value::Map(entries.iter().map(|(text, value)| (key(text), node(value))).collect())
        }
    };
    Node { value, place: Place::default() }
}

/// An object; without a namespace it is in none.
pub(crate) fn object(json: &Json) -> Object {
    let text = |value: &Json| value.as_str().unwrap_or_default().to_owned();
    let api_version = text(&json["apiVersion"]);
    let (group, version) = api_version.split_once('/').unwrap_or(("", &api_version));
    let metadata = &json["metadata"];
    let id =
        ObjectId::new(group, &text(&json["kind"]), metadata["namespace"].as_str(), &text(&metadata["name"]));
    Object::new(id, version, node(json))
}

/// A bundle that one `kubectl apply` delivers.
pub(crate) fn bundle(objects: &[Json]) -> Bundle {
    let delivery = Delivery::by(Tool::Kubectl, "apply");
    let unit = Unit::new(delivery, objects.iter().map(object).collect());
    let step = Step {
        action: Action::Deliver(unit),
        after: Vec::new(),
        may_be_skipped: false,
        branch: None,
        is_presumed: false,
        place: None,
        says: "kubectl apply -f .".into(),
        marks: Vec::new(),
    };
    Bundle { steps: vec![step], ..Bundle::default() }
}
