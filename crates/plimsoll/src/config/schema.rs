//! The JSON schema of the file, for editors.

use super::settings::{ALL, Setting, Shape};
use serde_json::{Value, json};

/// The schema.
pub(crate) fn schema() -> Value {
    let properties = ALL.iter().map(|setting| (setting.key.to_owned(), property(setting)));
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Settings of Plimsoll: .plimsoll.yaml",
        "type": ["object", "null"],
        "additionalProperties": false,
        "properties": properties.collect::<serde_json::Map<_, _>>(),
    })
}

fn property(setting: &Setting) -> Value {
    let mut property = shape(setting.shape);
    if let Some(fields) = property.as_object_mut() {
        fields.insert("description".to_owned(), json!(setting.says));
    }
    property
}

fn shape(shape: Shape) -> Value {
    match shape {
        Shape::Switch => json!({"type": "boolean"}),
        Shape::Word(words) => json!({"enum": words}),
        Shape::Text => json!({"type": "string"}),
        Shape::Texts => json!({"type": "array", "items": {"type": "string"}}),
        Shape::Words(words) => json!({"type": "array", "items": {"enum": words}}),
        Shape::Rules(words) => {
            // YAML 1.1 takes `off` for false.
            let mut words: Vec<Value> = words.iter().map(|word| json!(word)).collect();
            words.push(json!(false));
            json!({
                "type": "object",
                "propertyNames": {"pattern": "^PLM-R[0-9]{3}$"},
                "additionalProperties": {"enum": words},
            })
        }
        Shape::Allowances(fields) => {
            let described = fields
                .iter()
                .map(|field| (field.key.to_owned(), json!({"type": "string", "description": field.says})));
            let needed = fields.iter().filter(|field| field.is_needed).map(|field| field.key);
            let item = json!({
                "type": "object",
                "additionalProperties": false,
                "properties": described.collect::<serde_json::Map<_, _>>(),
                "required": needed.collect::<Vec<_>>(),
            });
            json!({"type": "array", "items": item})
        }
    }
}
