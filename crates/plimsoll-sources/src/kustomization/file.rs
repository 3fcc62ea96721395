//! One `kustomization.yaml`: which of its fields are understood, and what they say.

use super::Unread;
use super::sorting::Sorting;
use crate::claim::KUSTOMIZATION_NAMES;
use crate::host::EntryKind;
use crate::reading::Reading;
use crate::search::join;
use plimsoll_model::{Node, Place, Value};

/// A kustomization that lists, sorts and changes nothing.
#[derive(Debug, Default)]
pub(super) struct Plain {
    /// The paths as written, each with its place.
    pub(super) resources: Vec<(String, Place)>,
    pub(super) sorting: Option<Sorting>,
}

/// The kustomization files that stand in a folder.
pub(super) fn names<'a>(reading: &Reading<'a>, folder: &'a str) -> impl Iterator<Item = &'static str> + 'a {
    let host = reading.host();
    let is_file = move |name: &&str| host.look(&join(folder, name)) == Ok(EntryKind::File);
    KUSTOMIZATION_NAMES.into_iter().filter(is_file)
}

/// Reads the kustomization of a folder.
pub(super) fn read(reading: &mut Reading<'_>, folder: &str) -> Result<Plain, Unread> {
    let names: Vec<&str> = names(reading, folder).collect();
    let [name] = names.as_slice() else {
        let cause = match names.len() {
            0 => "there is no kustomization.yaml, kustomization.yml or Kustomization; check the path",
            _ => "kustomize refuses a folder with several kustomization files; keep one",
        };
        return Err(Unread::new(reading.place_of(folder), cause));
    };
    let path = join(folder, name);
    let Some((file, text)) = reading.open(&path).and_then(|file| Some((file, reading.text(file)?))) else {
        return Err(Unread::new(reading.place_of(&path), "this file cannot be read"));
    };
    let parsed = plimsoll_yaml::parse(&text, file);
    if let Some(fault) = parsed.faults.into_iter().next() {
        return Err(Unread::new(fault.place, fault.cause));
    }
    match parsed.documents.as_slice() {
        [document] => plain(&document.root),
        [] => {
            Err(Unread::new(Place { file, line: 1, column: 1 }, "kustomize refuses an empty kustomization"))
        }
        // kustomize takes the first document and passes over the rest without a word.
        [_, second, ..] => {
            Err(Unread::new(second.root.place, "this second document is not looked at; take it away"))
        }
    }
}

fn plain(root: &Node) -> Result<Plain, Unread> {
    let Value::Map(entries) = &root.value else {
        return Err(Unread::new(root.place, "a kustomization is a map of fields"));
    };
    let mut plain = Plain::default();
    for (key, value) in entries {
        match &*key.text {
            "metadata" => {}
            "apiVersion" if is_text(value, "kustomize.config.k8s.io/v1beta1") => {}
            "kind" if is_text(value, "Kustomization") => {}
            // `bases` is the old word; kustomize appends it to `resources`.
            "resources" => plain.resources.splice(..0, paths(value)?).for_each(drop),
            "bases" => plain.resources.extend(paths(value)?),
            "sortOptions" => plain.sorting = sorting(value)?,
            field if value.is_empty() && is_known(field) => {}
            field => return Err(Unread::new(key.place, format!("the field `{field}` is not understood"))),
        }
    }
    Ok(plain)
}

fn is_text(node: &Node, text: &str) -> bool {
    node.text() == Some(text)
}

/// Fields of `types/kustomization.go` that do nothing when they are empty; kustomize refuses any other name.
fn is_known(field: &str) -> bool {
    const FIELDS: [&str; 20] = [
        "namePrefix",
        "nameSuffix",
        "namespace",
        "commonLabels",
        "labels",
        "commonAnnotations",
        "patches",
        "patchesStrategicMerge",
        "patchesJson6902",
        "images",
        "imageTags",
        "replacements",
        "replicas",
        "vars",
        "components",
        "crds",
        "configMapGenerator",
        "secretGenerator",
        "helmCharts",
        "buildMetadata",
    ];
    FIELDS.contains(&field)
}

fn paths(node: &Node) -> Result<Vec<(String, Place)>, Unread> {
    texts(node)?.iter().map(|item| Ok((item.0.to_owned(), item.1))).collect()
}

fn texts(node: &Node) -> Result<Vec<(&str, Place)>, Unread> {
    let refused = |place| Unread::new(place, "kustomize refuses anything but a list of texts here");
    match &node.value {
        Value::Null => Ok(Vec::new()),
        Value::List(items) => {
            items.iter().map(|item| Ok((item.text().ok_or(refused(item.place))?, item.place))).collect()
        }
        _ => Err(refused(node.place)),
    }
}

fn sorting(node: &Node) -> Result<Option<Sorting>, Unread> {
    if node.value == Value::Null {
        return Ok(None);
    }
    let kinds = node.get("legacySortOptions").filter(|kinds| kinds.value != Value::Null);
    match (node.text_at(&["order"]), kinds) {
        (Some("fifo"), None) => Ok(Some(Sorting::Listed)),
        (Some("legacy"), None) => Ok(Some(Sorting::default())),
        (Some("legacy"), Some(kinds)) => {
            let list = |field| {
                let found = kinds.get(field).map_or(Ok(Vec::new()), texts)?;
                Ok(found.into_iter().map(|(text, _)| text.to_owned()).collect())
            };
            Ok(Some(Sorting::ByKind { first: list("orderFirst")?, last: list("orderLast")? }))
        }
        (Some("fifo"), Some(kinds)) => {
            Err(Unread::new(kinds.place, "kustomize refuses legacySortOptions with the order `fifo`"))
        }
        _ => Err(Unread::new(node.place, "kustomize refuses any order but `fifo` and `legacy`")),
    }
}
