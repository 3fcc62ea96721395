//! Reads `api/discovery`: what a server of this release offers with every API version switched on.

use anyhow::{Context as _, Result};
use serde_json::Value;
use std::path::Path;

/// One kind in one API version, as discovery tells it.
pub(super) struct Resource {
    pub(super) api_version: String,
    pub(super) kind: String,
    pub(super) plural: String,
    pub(super) short: Vec<String>,
    pub(super) is_namespaced: bool,
    pub(super) verbs: Vec<String>,
}

impl Resource {
    /// The API group; empty for the core group.
    pub(super) fn group(&self) -> &str {
        self.api_version.split_once('/').map_or("", |(group, _)| group)
    }
}

/// All resources of a release; subresources are left out.
pub(super) fn read(root: &Path) -> Result<Vec<Resource>> {
    let mut resources = Vec::new();
    for entry in std::fs::read_dir(root.join("api/discovery"))? {
        let path = entry?.path();
        let list: Value = serde_json::from_slice(&std::fs::read(&path)?)
            .with_context(|| format!("reading {}", path.display()))?;
        if text(&list, "kind") == "APIResourceList" {
            resources.extend(resources_of(&list));
        }
    }
    Ok(resources)
}

fn resources_of(list: &Value) -> impl Iterator<Item = Resource> {
    let entries = list.get("resources").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    entries.iter().filter(|entry| !text(entry, "name").contains('/')).map(|entry| Resource {
        api_version: text(list, "groupVersion"),
        kind: text(entry, "kind"),
        plural: text(entry, "name"),
        short: texts(entry, "shortNames"),
        is_namespaced: entry.get("namespaced").and_then(Value::as_bool).unwrap_or_default(),
        verbs: texts(entry, "verbs"),
    })
}

fn text(value: &Value, key: &str) -> String {
    value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn texts(value: &Value, key: &str) -> Vec<String> {
    let entries = value.get(key).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    entries.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}
