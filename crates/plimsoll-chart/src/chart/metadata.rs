//! `Chart.yaml` and, of older charts, `requirements.yaml`.

use plimsoll_model::{Node, Place, Value};
use std::collections::BTreeMap;

/// What `Chart.yaml` says.
#[derive(Debug, Clone, Default)]
pub struct Metadata {
    /// The name of the chart.
    pub name: String,
    /// The version of the chart.
    pub version: String,
    /// The version of what the chart brings.
    pub app_version: String,
    /// The version of the chart's own form; `v1` where it says none.
    pub api_version: String,
    /// `application` or `library`.
    pub kind: String,
    /// The versions of Kubernetes it is made for.
    pub kube_version: String,
    /// Charts that it needs.
    pub dependencies: Vec<Dependency>,
    pub(crate) home: String,
    pub(crate) description: String,
    pub(crate) icon: String,
    pub(crate) condition: String,
    pub(crate) tags: String,
    pub(crate) is_deprecated: bool,
    pub(crate) sources: Vec<String>,
    pub(crate) keywords: Vec<String>,
    pub(crate) maintainers: Vec<[String; 3]>,
    pub(crate) annotations: BTreeMap<String, String>,
}

/// A chart that another one needs.
#[derive(Debug, Clone, Default)]
pub struct Dependency {
    /// The name of the chart.
    pub name: String,
    /// The versions that will do.
    pub version: String,
    /// Where it is found.
    pub repository: String,
    /// Paths of values that turn it on or off.
    pub condition: String,
    /// Another name for it.
    pub alias: String,
    /// The version that `Chart.lock` names.
    pub locked: Option<String>,
    /// Where it is named in `Chart.yaml`, or in the `requirements.yaml` of an older chart; in no file.
    pub place: Place,
    pub(crate) tags: Vec<String>,
    pub(crate) imports: Vec<Import>,
}

/// Values that a chart takes over from one that it needs.
#[derive(Debug, Clone)]
pub(crate) struct Import {
    pub(crate) child: String,
    pub(crate) parent: String,
}

impl Metadata {
    /// Takes over what a file says; a later file adds to an earlier one.
    pub(super) fn read(&mut self, root: &Node) {
        let set = |field: &mut String, key: &str| {
            if let Some(node) = root.get(key) {
                *field = text(node);
            }
        };
        set(&mut self.name, "name");
        set(&mut self.version, "version");
        set(&mut self.app_version, "appVersion");
        set(&mut self.api_version, "apiVersion");
        set(&mut self.kind, "type");
        set(&mut self.kube_version, "kubeVersion");
        set(&mut self.home, "home");
        set(&mut self.description, "description");
        set(&mut self.icon, "icon");
        set(&mut self.condition, "condition");
        set(&mut self.tags, "tags");
        self.is_deprecated |= root.bool_at(&["deprecated"]).unwrap_or_default();
        let texts = |key: &str| root.list_at(&[key]).iter().map(text).collect::<Vec<_>>();
        self.sources.extend(texts("sources"));
        self.keywords.extend(texts("keywords"));
        let maintainers = root.list_at(&["maintainers"]).iter();
        self.maintainers
            .extend(maintainers.map(|node| ["name", "email", "url"].map(|key| text_at(node, key))));
        let annotations = root.get("annotations").map(Node::entries).unwrap_or_default();
        self.annotations.extend(annotations.iter().map(|(key, node)| (key.text.to_string(), text(node))));
        self.dependencies.extend(root.list_at(&["dependencies"]).iter().map(Dependency::read));
    }

    /// Takes over the versions that `Chart.lock` names, one for each dependency in the same order.
    pub(super) fn lock(&mut self, root: &Node) {
        for (dependency, locked) in self.dependencies.iter_mut().zip(root.list_at(&["dependencies"])) {
            let is_same = text_at(locked, "name") == dependency.name;
            dependency.locked = Some(text_at(locked, "version")).filter(|_| is_same);
        }
    }

    /// An annotation.
    #[must_use]
    pub fn annotation(&self, name: &str) -> Option<&str> {
        self.annotations.get(name).map(String::as_str)
    }
}

impl Dependency {
    fn read(node: &Node) -> Self {
        Self {
            name: text_at(node, "name"),
            version: text_at(node, "version"),
            repository: text_at(node, "repository"),
            condition: text_at(node, "condition"),
            alias: text_at(node, "alias"),
            locked: None,
            place: node.place,
            tags: node.list_at(&["tags"]).iter().map(text).collect(),
            imports: node.list_at(&["import-values"]).iter().filter_map(Import::read).collect(),
        }
    }
}

impl Import {
    fn read(node: &Node) -> Option<Self> {
        match &node.value {
            Value::Text(name) => Some(Self { child: format!("exports.{name}"), parent: ".".to_owned() }),
            Value::Map(_) => Some(Self { child: text_at(node, "child"), parent: text_at(node, "parent") }),
            _ => None,
        }
    }
}

fn text_at(node: &Node, key: &str) -> String {
    node.get(key).map(text).unwrap_or_default()
}

/// A field that should be text. Helm refuses a number there; we read it as it was meant.
fn text(node: &Node) -> String {
    match &node.value {
        Value::Text(text) => text.to_string(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Uint(value) => value.to_string(),
        Value::Float(value) => crate::template::float::shown(*value),
        _ => String::new(),
    }
}
