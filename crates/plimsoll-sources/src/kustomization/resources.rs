//! The files that a kustomization lists, depth first, and what kustomize would refuse in them.

use super::Unread;
use super::file::{self, Plain};
use super::sorting::Sorting;
use crate::encoding::decode;
use crate::host::EntryKind;
use crate::reading::Reading;
use crate::script::paths;
use plimsoll_model::{FileIndex, Node, Place, Value};
use plimsoll_yaml::{MAX_FILE_BYTES, parse_piece, pieces};
use std::collections::BTreeSet;

/// The files of a kustomization, and how the outermost one sorts.
pub(super) struct Listed {
    pub(super) files: Vec<String>,
    pub(super) sorting: Option<Sorting>,
}

/// Follows `resources` through files and folders.
pub(super) fn list(reading: &mut Reading<'_>, folder: &str) -> Result<Listed, Unread> {
    let root = paths::normal(folder);
    let mut files = Vec::new();
    let sorting = follow(reading, &mut vec![root], &mut files)?;
    Ok(Listed { files, sorting })
}

/// Reads the innermost of these folders; the others are on the way to it.
fn follow(
    reading: &mut Reading<'_>,
    folders: &mut Vec<String>,
    files: &mut Vec<String>,
) -> Result<Option<Sorting>, Unread> {
    let folder = folders.last().cloned().unwrap_or_default();
    let Plain { resources, sorting } = file::read(reading, shown(&folder))?;
    for (path, place) in resources {
        let refused = |cause: &str| Err(Unread::new(place, cause));
        if is_remote(&path) {
            return refused("nothing is fetched from the network");
        }
        let Some(found) = paths::resolve(Some(&folder), &path) else {
            return refused("there is no such path");
        };
        match reading.host().look(shown(&found)) {
            Ok(EntryKind::Folder) if folders.iter().any(|outer| is_inside(outer, &found)) => {
                return refused("kustomize refuses a folder that holds the one it is listed in");
            }
            Ok(EntryKind::Folder) => {
                folders.push(found);
                follow(reading, folders, files)?;
                folders.pop();
            }
            Ok(_) if !is_inside(&found, &folder) => {
                return refused("kustomize refuses a file outside the folder of its kustomization");
            }
            Ok(_) => files.push(found),
            Err(_) => return refused("there is no such file or folder"),
        }
    }
    Ok(sorting)
}

/// Looks for what kustomize refuses, or reads otherwise than kubectl does.
pub(super) fn inspect(reading: &mut Reading<'_>, files: &[String], sorting: &Sorting) -> Result<(), Unread> {
    let mut seen = BTreeSet::new();
    for path in files {
        let bytes = reading.host().read(path, MAX_FILE_BYTES);
        let inspected = match bytes.ok().and_then(|bytes| decode(bytes).ok()) {
            Some(text) => inspect_text(&text, sorting, &mut seen),
            None => Err(Unread::new(Place::default(), "this file cannot be read")),
        };
        if let Err(Unread { place, cause }) = inspected {
            let file = reading.place_of(path).file;
            return Err(Unread::new(Place { file, ..place }, cause));
        }
    }
    Ok(())
}

fn inspect_text(text: &str, sorting: &Sorting, seen: &mut BTreeSet<Identity>) -> Result<(), Unread> {
    let start = Place { file: FileIndex::default(), line: 1, column: 1 };
    for piece in pieces(text, start) {
        let parsed = parse_piece(&piece);
        if let Some(fault) = parsed.faults.into_iter().next() {
            let cause = format!("kustomize may refuse this file: {}", fault.cause);
            return Err(Unread::new(fault.place, cause));
        }
        // kubectl reads all values of a JSON stream; kustomize passes over all but the first without a word.
        if let [_, second, ..] = parsed.documents.as_slice() {
            let cause = "kustomize leaves out this second JSON value; put `---` before it, in a YAML file";
            return Err(Unread::new(second.root.place, cause));
        }
        let mut documents = parsed.documents.into_iter();
        documents.try_for_each(|document| inspect_document(document.root, sorting, seen))?;
    }
    Ok(())
}

/// Group and version, kind, namespace and name: kustomize takes each once.
type Identity = (String, String, String, String);

fn inspect_document(root: Node, sorting: &Sorting, seen: &mut BTreeSet<Identity>) -> Result<(), Unread> {
    let mut waiting = vec![root];
    while let Some(node) = waiting.pop() {
        let text = |path: &[&str]| node.text_at(path).unwrap_or_default().to_owned();
        let (version, kind) = (text(&["apiVersion"]), text(&["kind"]));
        if version.is_empty() || kind.is_empty() {
            return Err(Unread::new(node.place, "kustomize refuses what has no apiVersion and kind"));
        }
        if let (Some(Value::List(items)), true) =
            (node.get("items").map(|items| &items.value), kind.ends_with("List"))
        {
            // Items come behind all other documents of their file.
            if *sorting == Sorting::Listed {
                return Err(Unread::new(node.place, format!("the order of a {kind} is not understood")));
            }
            waiting.extend(items.iter().cloned());
            continue;
        }
        inspect_annotations(&node)?;
        let (namespace, name) = (text(&["metadata", "namespace"]), text(&["metadata", "name"]));
        if name.is_empty() {
            return Err(Unread::new(node.place, "kustomize refuses an object without metadata.name"));
        }
        let namespace = if namespace.is_empty() { "default".to_owned() } else { namespace };
        if !seen.insert((version, kind, namespace, name)) {
            return Err(Unread::new(node.place, "kustomize refuses an object that is listed twice"));
        }
    }
    Ok(())
}

/// Annotations by which kustomize leaves an object out or gives it another name.
fn inspect_annotations(node: &Node) -> Result<(), Unread> {
    let annotations = node.get("metadata").and_then(|metadata| metadata.get("annotations"));
    let Some(Value::Map(entries)) = annotations.map(|annotations| &annotations.value) else { return Ok(()) };
    let is_own = |text: &str| {
        ["config.kubernetes.io/", "internal.config.kubernetes.io/", "kustomize.config.k8s.io/"]
            .iter()
            .any(|domain| text.starts_with(domain))
    };
    match entries.iter().find(|(key, _)| is_own(&key.text)) {
        Some((key, _)) => {
            Err(Unread::new(key.place, format!("the annotation `{}` is not understood", key.text)))
        }
        None => Ok(()),
    }
}

/// A path as the host takes it.
fn shown(path: &str) -> &str {
    if path.is_empty() { "." } else { path }
}

/// Whether a path is a folder or lies in it.
fn is_inside(path: &str, folder: &str) -> bool {
    if folder.is_empty() {
        return !path.starts_with('/') && path != ".." && !path.starts_with("../");
    }
    let rest = path.strip_prefix(folder.trim_end_matches('/'));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Anything that names another machine: a URL, `github.com/…`, `git@…`.
fn is_remote(path: &str) -> bool {
    path.contains("://")
        || path.contains("?ref=")
        || path.starts_with("git@")
        || path.starts_with("github.com")
}
