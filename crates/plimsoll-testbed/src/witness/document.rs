//! The documents of an example: which object each one is, and how it is changed for a play.

use plimsoll_knowledge::page::Example;
use plimsoll_model::ObjectId;
use plimsoll_schema::Scope;
use plimsoll_sources::{Input, Memory, read};
use serde_json::Value;

/// One document of a file.
#[derive(Debug, Clone)]
pub(super) struct Document {
    pub(super) file: String,
    /// Nothing for what is no object.
    pub(super) id: Option<ObjectId>,
    pub(super) text: String,
}

impl Document {
    /// Every document of an example, in the order of the files.
    pub(super) fn all(example: &Example) -> Vec<Self> {
        let files = example.files.iter();
        files
            .flat_map(|(file, text)| {
                let pieces = pieces(text);
                pieces.into_iter().map(|text| Self { file: file.clone(), id: identity(&text), text })
            })
            .collect()
    }

    /// Whether this is the object that a report names.
    pub(super) fn is(&self, object: &str) -> bool {
        self.id.as_ref().is_some_and(|id| id.to_string() == object)
    }

    /// The kind, if it is an object.
    pub(super) fn kind(&self) -> &str {
        self.id.as_ref().map_or("", ObjectId::kind)
    }

    /// The document with a provisioner that the cluster has, in place of the made-up one of the pages.
    pub(super) fn provided(&self) -> Self {
        let mut document = self.clone();
        if document.kind() == "StorageClass" {
            document.text = document.text.replace("disk.example.com", crate::provisioner::PROVISIONER);
        }
        document
    }

    /// How many pods a workload asks for, if it says so.
    pub(super) fn replicas(&self) -> Option<u64> {
        let value: Value = serde_saphyr::from_str(&self.text).ok()?;
        value.pointer("/spec/replicas").and_then(Value::as_u64)
    }

    /// The Service behind an aggregated API.
    pub(super) fn service(&self) -> Option<String> {
        if self.kind() != "APIService" {
            return None;
        }
        let value: Value = serde_saphyr::from_str(&self.text).ok()?;
        let field = |name: &str| value.pointer(&format!("/spec/service/{name}")).and_then(Value::as_str);
        Some(format!("Service/{}/{}", field("namespace")?, field("name")?))
    }

    /// Whether it is of a kind that Kubernetes does not have.
    pub(super) fn is_custom(&self) -> bool {
        self.id.as_ref().is_some_and(|id| plimsoll_schema::scope(id.group(), id.kind()).is_none())
    }

    /// Whether others outside its namespace notice it.
    pub(super) fn is_cluster_wide(&self) -> bool {
        let Some(id) = &self.id else { return false };
        let scope = plimsoll_schema::scope(id.group(), id.kind());
        scope == Some(Scope::Cluster) || id.namespace().is_none_or(|namespace| namespace != "default")
    }

    /// Changes the document; what was YAML is JSON afterwards, which kubectl reads as well.
    pub(super) fn change(&mut self, change: impl FnOnce(&mut Value)) {
        if let Ok(mut value) = serde_saphyr::from_str::<Value>(&self.text) {
            change(&mut value);
            self.text = format!("{value:#}\n");
        }
    }
}

fn pieces(text: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for line in text.lines() {
        if line == "---" {
            pieces.push(String::new());
        } else if let Some(piece) = pieces.last_mut() {
            piece.push_str(line);
            piece.push('\n');
        }
    }
    pieces
}

fn identity(text: &str) -> Option<ObjectId> {
    let host = Memory::new([("one.yaml", text)]);
    let input = Input { paths: vec!["one.yaml".to_owned()], ..Input::default() };
    let bundle = read(&input, &host);
    let mut objects = bundle.deliveries().map(|(_, object)| object.id.clone());
    objects.next()
}
