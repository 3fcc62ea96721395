//! JSON schemas of every kind of Kubernetes, from the OpenAPI file of its released module.
//!
//! Each file holds what its kind refers to and nothing else, so that whoever validates reads as little as possible.

use crate::go_module;
use anyhow::{Context as _, Result};
use plimsoll_testbed::workplace::Workplace;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The release whose kinds the input uses.
const RELEASE: &str = "k8s.io/kubernetes@v1.37.1";
const REFERENCE: &str = "#/definitions/";

/// Writes one file for each kind, named as kubeconform names them: `deployment-apps-v1.json`.
pub(super) fn write() -> Result<Workplace> {
    let spec = go_module::download(RELEASE)?.join("api/openapi-spec/swagger.json");
    let text = std::fs::read(&spec).with_context(|| format!("reading {}", spec.display()))?;
    let spec: Value = serde_json::from_slice(&text)?;
    let definitions = spec.get("definitions").and_then(Value::as_object).context("no definitions")?;
    let folder = Workplace::open()?;
    for (name, definition) in definitions {
        for file in file_names(definition) {
            let mut needed = BTreeMap::new();
            gather(definitions, name, &mut needed);
            let schema = json!({"$ref": format!("{REFERENCE}{name}"), "definitions": needed});
            std::fs::write(folder.path().join(file), schema.to_string())?;
        }
    }
    Ok(folder)
}

/// The files of a definition: one for each kind that it defines.
fn file_names(definition: &Value) -> Vec<String> {
    let kinds = definition.get("x-kubernetes-group-version-kind").and_then(Value::as_array);
    let kinds = kinds.map_or(&[][..], Vec::as_slice);
    kinds.iter().filter_map(file_name).collect()
}

fn file_name(kind: &Value) -> Option<String> {
    let text = |key: &str| kind.get(key).and_then(Value::as_str);
    let (kind, version) = (text("kind")?.to_lowercase(), text("version")?);
    Some(match text("group")?.split('.').next() {
        Some("") | None => format!("{kind}-{version}.json"),
        Some(group) => format!("{kind}-{group}-{version}.json"),
    })
}

/// Adds a definition and everything it refers to.
fn gather(definitions: &Map<String, Value>, name: &str, needed: &mut BTreeMap<String, Value>) {
    let Some(definition) = definitions.get(name) else { return };
    if needed.insert(name.to_owned(), accepted(name, definition)).is_none() {
        each_reference(definition, &mut |name| gather(definitions, name, needed));
    }
}

/// OpenAPI calls both of these a text; the API server takes numbers too.
fn accepted(name: &str, definition: &Value) -> Value {
    match name {
        "io.k8s.apimachinery.pkg.util.intstr.IntOrString" => json!({"type": ["string", "integer"]}),
        "io.k8s.apimachinery.pkg.api.resource.Quantity" => json!({"type": ["string", "number"]}),
        _ => definition.clone(),
    }
}

fn each_reference(schema: &Value, seen: &mut impl FnMut(&str)) {
    match schema {
        Value::Object(fields) => {
            let reference = fields.get("$ref").and_then(Value::as_str);
            if let Some(name) = reference.and_then(|reference| reference.strip_prefix(REFERENCE)) {
                seen(name);
            }
            fields.values().for_each(|field| each_reference(field, seen));
        }
        Value::Array(items) => items.iter().for_each(|item| each_reference(item, seen)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_as_kubeconform_looks_for_them() {
        let kind = |group: &str| json!({"group": group, "kind": "Ingress", "version": "v1"});
        assert_eq!(file_name(&kind("networking.k8s.io")).as_deref(), Some("ingress-networking-v1.json"));
        assert_eq!(file_name(&kind("")).as_deref(), Some("ingress-v1.json"));
    }

    #[test]
    fn a_file_holds_what_its_kind_refers_to_and_circles_end() {
        let definitions = json!({
            "a": {"properties": {"b": {"items": {"$ref": "#/definitions/b"}}}},
            "b": {"properties": {"a": {"$ref": "#/definitions/a"}}},
            "c": {},
        });
        let mut needed = BTreeMap::new();
        gather(definitions.as_object().unwrap(), "a", &mut needed);
        assert_eq!(needed.keys().collect::<Vec<_>>(), ["a", "b"]);
    }
}
