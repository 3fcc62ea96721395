//! One generated deployment: files, and a script of kubectl commands that sends them.

use super::kinds::{Kind, PREFIX};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Files and a script, with a placeholder for the prefix that keeps cases apart on one cluster.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Case {
    pub(super) files: Vec<Manifest>,
    pub(super) kustomizations: Vec<Kustomization>,
    pub(super) commands: Vec<Sent>,
    /// Whether the script begins with `set -e`.
    pub(super) stops: bool,
}

/// A file of documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Manifest {
    pub(super) path: String,
    pub(super) documents: Vec<Document>,
}

/// One document of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Document {
    One(Thing),
    List(Shape, Vec<Thing>),
}

/// How a list holds its objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// `kind: List`.
    Plain,
    /// `kind: ConfigMapList`, whose items do not say what they are; they are of one kind.
    Typed,
}

/// One object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Thing {
    pub(super) kind: Kind,
    pub(super) name: String,
    pub(super) namespace: String,
    /// Whether the API server refuses it, by the label that a policy of the cluster looks at.
    pub(super) is_refused: bool,
    /// A label that tells a later declaration of the same object from an earlier one.
    pub(super) turn: usize,
}

/// A `kustomization.yaml`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Kustomization {
    pub(super) folder: String,
    pub(super) resources: Vec<String>,
    pub(super) sorting: &'static str,
}

/// One command of the script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sent {
    /// Verb and flags: `apply --server-side`.
    pub(super) verb: String,
    pub(super) source: Source,
    /// What stands behind the command: ` &&`, ` || true`, ` &` or nothing.
    pub(super) link: &'static str,
}

/// Where a command takes its objects from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Source {
    /// `-f a -f b`, each a file or a folder.
    Paths(Vec<String>),
    /// `-k FOLDER`.
    Kustomization(String),
    /// `PRINTER FOLDER | kubectl … -f -`.
    Piped(&'static str, String),
    /// One object by its name, for a wait.
    Named(String),
}

/// The script of every case.
pub(super) const SCRIPT: &str = "deploy.sh";

impl Case {
    /// Every file with its text, and the script, for a prefix.
    pub(super) fn render(&self, prefix: &str) -> Vec<(String, String)> {
        let mut files: Vec<(String, String)> =
            self.files.iter().map(|file| (file.path.clone(), file.text().replace(PREFIX, prefix))).collect();
        files.extend(
            self.kustomizations.iter().map(|one| (format!("{}/kustomization.yaml", one.folder), one.text())),
        );
        files.push((SCRIPT.to_owned(), self.script(prefix)));
        files
    }

    /// The script. Each command asks in the name of a user of its own, by which its requests are told apart.
    pub(super) fn script(&self, prefix: &str) -> String {
        let mut script = if self.stops { "set -e\n".to_owned() } else { String::new() };
        for (step, sent) in self.commands.iter().enumerate() {
            let user = format!("kubectl --as {prefix}-{step} --as-group system:masters");
            let line = match &sent.source {
                Source::Paths(paths) => format!("{user} {} -f {}", sent.verb, paths.join(" -f ")),
                Source::Named(object) => format!("{user} {} {object}", sent.verb),
                Source::Kustomization(folder) => format!("{user} {} -k {folder}", sent.verb),
                Source::Piped(printer, folder) => format!("{printer} {folder} | {user} {} -f -", sent.verb),
            };
            let line = line.replace(PREFIX, prefix);
            // Writing into a String cannot fail.
            let _ = writeln!(script, "{line}{}", sent.link);
        }
        if self.commands.iter().any(|sent| sent.link == " &") {
            script.push_str("wait\n");
        }
        if self.commands.last().is_some_and(|sent| sent.link == " &&") {
            script.push_str("true\n");
        }
        script
    }

    /// Every object of every file.
    pub(super) fn things(&self) -> impl Iterator<Item = &Thing> {
        self.files.iter().flat_map(|file| &file.documents).flat_map(Document::things)
    }
}

impl Manifest {
    fn text(&self) -> String {
        if self.path.rsplit_once('.').is_some_and(|(_, ending)| ending == "json") {
            let values: Vec<String> =
                self.documents.iter().map(|document| format!("{:#}\n", document.value())).collect();
            return values.concat();
        }
        let documents: Vec<String> = self.documents.iter().map(|document| block(&document.value())).collect();
        documents.join("---\n")
    }
}

/// A map as YAML: its keys one a line, what they hold as JSON.
fn block(value: &Value) -> String {
    let entries = value.as_object().into_iter().flatten();
    let lines: Vec<String> = entries.map(|(key, value)| format!("{key}: {value}\n")).collect();
    lines.concat()
}

impl Document {
    pub(super) fn value(&self) -> Value {
        match self {
            Self::One(thing) => thing.value(),
            Self::List(shape, things) => list(*shape, things),
        }
    }

    fn things(&self) -> &[Thing] {
        match self {
            Self::One(thing) => std::slice::from_ref(thing),
            Self::List(_, things) => things,
        }
    }

    pub(super) fn things_mut(&mut self) -> &mut [Thing] {
        match self {
            Self::One(thing) => std::slice::from_mut(thing),
            Self::List(_, things) => things,
        }
    }
}

fn list(shape: Shape, things: &[Thing]) -> Value {
    let mut items: Vec<Value> = things.iter().map(Thing::value).collect();
    match (shape, things.first()) {
        (Shape::Typed, Some(first)) => {
            for item in items.iter_mut().filter_map(Value::as_object_mut) {
                item.remove("apiVersion");
                item.remove("kind");
            }
            let kind = format!("{}List", first.kind.name);
            json!({"apiVersion": first.kind.api_version, "kind": kind, "items": items})
        }
        _ => json!({"apiVersion": "v1", "kind": "List", "items": items}),
    }
}

impl Thing {
    pub(super) fn value(&self) -> Value {
        let mut metadata =
            json!({"name": self.name, "labels": {"case": PREFIX, "turn": self.turn.to_string()}});
        if let Some(metadata) = metadata.as_object_mut()
            && self.kind.is_namespaced
        {
            metadata.insert("namespace".to_owned(), json!(self.namespace));
        }
        if let Some(labels) = metadata.get_mut("labels").and_then(Value::as_object_mut)
            && self.is_refused
        {
            labels.insert("refused".to_owned(), json!("yes"));
        }
        let mut value =
            json!({"apiVersion": self.kind.api_version, "kind": self.kind.name, "metadata": metadata});
        if let (Some(value), Value::Object(body)) = (value.as_object_mut(), self.kind.body()) {
            value.extend(body);
        }
        value
    }
}

impl Kustomization {
    fn text(&self) -> String {
        format!("resources: [{}]\n{}", self.resources.join(", "), self.sorting)
    }
}
