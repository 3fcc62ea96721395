//! Types with the lists in them, as the program carries them or as the field `openapi` names a file of them.

use super::{Field, FieldForm, Fields};
use crate::fields::text_of;
use plimsoll_model::{Node, Value};
use rustc_hash::FxHashMap;

/// Types by name, and which kind is which type.
#[derive(Debug, Clone, Default)]
pub(crate) struct Definitions {
    kinds: FxHashMap<(Box<str>, Box<str>), Box<str>>,
    fields: Fields,
}

impl Definitions {
    pub(super) fn add_kind(&mut self, api_version: &str, kind: &str, definition: &str) {
        self.kinds.insert((api_version.into(), kind.into()), definition.into());
    }

    pub(super) fn add_field(&mut self, definition: &str, name: &str, field: Field) {
        self.fields.entry(definition.into()).or_default().insert(name.into(), field);
    }

    /// The type of a kind.
    pub(crate) fn of_kind(&self, api_version: &str, kind: &str) -> Option<&str> {
        self.kinds.get(&(api_version.into(), kind.into())).map(|name| &**name)
    }

    /// How a field of a type is merged.
    pub(crate) fn field(&self, definition: &str, name: &str) -> Option<&Field> {
        let fields = self.fields.get(definition)?;
        fields.get(name).or_else(|| fields.get("*"))
    }

    /// Adds what another one knows; its word counts more.
    pub(crate) fn extend(&mut self, other: Definitions) {
        self.kinds.extend(other.kinds);
        self.fields.extend(other.fields);
    }

    /// What an OpenAPI document says.
    pub(crate) fn of_openapi(root: &Node) -> Self {
        let mut definitions = Self::default();
        for (name, definition) in root.get("definitions").map_or(&[][..], Node::entries) {
            let kinds = definition.get("x-kubernetes-group-version-kind").map_or(&[][..], Node::items);
            for kind in kinds {
                let (group, version) = (text_of(kind, "group"), text_of(kind, "version"));
                let api_version =
                    if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") };
                definitions.add_kind(&api_version, text_of(kind, "kind"), &name.text);
            }
            definitions.add_schema(&name.text, definition);
        }
        definitions
    }

    /// The fields of a type; a type without a name is called by its path.
    fn add_schema(&mut self, name: &str, schema: &Node) {
        for (field, property) in schema.get("properties").map_or(&[][..], Node::entries) {
            self.add_property(name, &field.text, property);
        }
        if let Some(values) =
            schema.get("additionalProperties").filter(|node| matches!(node.value, Value::Map(_)))
        {
            self.add_property(name, "*", values);
        }
    }

    fn add_property(&mut self, name: &str, field: &str, property: &Node) {
        let own = format!("{name}/{field}");
        let is_list = text_of(property, "type") == "array";
        let (form, inner) = if is_list {
            (FieldForm::List, property.get("items"))
        } else {
            (FieldForm::Direct, Some(property))
        };
        let target = inner.map(|inner| {
            if let Some(reference) = text_of(inner, "$ref").strip_prefix("#/definitions/") {
                return reference.into();
            }
            self.add_schema(&own, inner);
            own.clone().into()
        });
        let keys = is_list.then(|| merge_keys(property)).flatten();
        self.add_field(name, field, Field { target, form, keys });
    }
}

fn merge_keys(property: &Node) -> Option<Vec<Box<str>>> {
    let strategy = text_of(property, "x-kubernetes-patch-strategy");
    if !strategy.split(',').any(|word| word == "merge") {
        return None;
    }
    if let Some(keys) = property.get("x-kubernetes-list-map-keys") {
        return Some(keys.items().iter().map(|key| key.text().unwrap_or_default().into()).collect());
    }
    let key = text_of(property, "x-kubernetes-patch-merge-key");
    Some(if key.is_empty() { Vec::new() } else { vec![key.into()] })
}
