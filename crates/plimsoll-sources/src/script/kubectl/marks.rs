//! `kubectl label`, `kubectl annotate` and `kubectl patch`: what they write on objects that must be there.

use super::super::expand::Field;
use super::super::flags::Flags;
use super::super::reader::Reader;
use super::super::simple::Call;
use super::super::state::{Flow, State};
use super::{gates, namespace_of, targets};
use plimsoll_model::{FileIndex, Mark, Node, Value, Written};

pub(super) fn run(reader: &mut Reader<'_, '_>, call: &Call<'_>, flags: &Flags, state: State) -> Flow {
    let marks = marks(flags, &namespace_of(flags, &state).unwrap_or_else(|| reader.namespace.to_owned()));
    let before = reader.steps.len();
    let flow = gates::must_exist(reader, call, flags, 1, state);
    if let Some(step) = reader.steps.get_mut(before) {
        step.marks = marks;
    }
    flow
}

fn marks(flags: &Flags, namespace: &str) -> Vec<Mark> {
    let Some((verb, words)) = flags.words.split_first() else { return Vec::new() };
    let named = targets::names(words).unwrap_or_default();
    let objects = named
        .iter()
        .filter_map(|(resource, name)| Some(targets::object_id(resource, name.as_deref()?, namespace)));
    let pairs =
        |field: &'static str| words.iter().filter_map(pair).map(move |(key, written)| (field, key, written));
    let written: Vec<(&'static str, String, Written)> = match verb.text.as_str() {
        "label" => pairs("labels").collect(),
        "annotate" => pairs("annotations").collect(),
        _ => patched(flags),
    };
    let mark =
        |object, (field, key, written): (&'static str, String, Written)| Mark { object, field, key, written };
    objects.flat_map(|object| written.iter().map(move |one| mark(object.clone(), one.clone()))).collect()
}

/// What a patch that is written out says of labels and annotations. A list of operations says nothing here.
fn patched(flags: &Flags) -> Vec<(&'static str, String, Written)> {
    let Some(patch) = flags.value("patch").filter(|patch| patch.unknown.is_none()) else { return Vec::new() };
    let parsed = plimsoll_yaml::parse(&patch.text, FileIndex(0));
    let written = |value: &Node| match &value.value {
        Value::Null => Written::Away,
        _ => value.text().map_or(Written::Somehow, |text| Written::As(text.to_owned())),
    };
    let mut marks = Vec::new();
    for document in &parsed.documents {
        for field in ["labels", "annotations"] {
            let map = document.root.at(&["metadata", field]).map_or(&[][..], Node::entries);
            marks.extend(map.iter().map(|(key, value)| (field, key.text.to_string(), written(value))));
        }
    }
    marks
}

/// `key=value` writes, `key-` takes away.
fn pair(word: &Field) -> Option<(String, Written)> {
    match word.text.split_once('=') {
        Some((key, _)) if word.unknown.is_some() => Some((key.to_owned(), Written::Somehow)),
        Some((key, value)) => Some((key.to_owned(), Written::As(value.to_owned()))),
        None => word.text.strip_suffix('-').map(|key| (key.to_owned(), Written::Away)),
    }
}
