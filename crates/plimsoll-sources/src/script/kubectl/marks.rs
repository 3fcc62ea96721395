//! `kubectl label` and `kubectl annotate`: what they write on objects that must be there.

use super::super::expand::Field;
use super::super::flags::Flags;
use super::super::reader::Reader;
use super::super::simple::Call;
use super::super::state::{Flow, State};
use super::{gates, namespace_of, targets};
use plimsoll_model::{Mark, Written};

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
    let field = if verb.text == "label" { "labels" } else { "annotations" };
    let named = targets::names(words).unwrap_or_default();
    let objects = named
        .iter()
        .filter_map(|(resource, name)| Some(targets::object_id(resource, name.as_deref()?, namespace)));
    let pairs = || words.iter().filter_map(pair);
    objects
        .flat_map(|object| {
            pairs().map(move |(key, written)| Mark { object: object.clone(), field, key, written })
        })
        .collect()
}

/// `key=value` writes, `key-` takes away.
fn pair(word: &Field) -> Option<(String, Written)> {
    match word.text.split_once('=') {
        Some((key, _)) if word.unknown.is_some() => Some((key.to_owned(), Written::Somehow)),
        Some((key, value)) => Some((key.to_owned(), Written::As(value.to_owned()))),
        None => word.text.strip_suffix('-').map(|key| (key.to_owned(), Written::Away)),
    }
}
