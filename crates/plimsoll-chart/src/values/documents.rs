//! What a file of values says. Helm 4 ends it with a line break and takes all of its documents, later ones win (v4.3.1
//! `pkg/chart/v2/loader/load.go`, `LoadValues`); Helm 3 takes the first one as it is.

use crate::render::HelmVersion;
use plimsoll_model::{FileIndex, Node, Place, Value};
use plimsoll_yaml::{Fault, Form, Piece, piece_value, yaml_pieces};
use std::borrow::Cow;

/// Whether Helm 3 may take a text for something else than Helm 4.
pub(crate) fn is_read_otherwise(text: &str) -> bool {
    !text.ends_with('\n') || has_several(text)
}

fn has_several(text: &str) -> bool {
    text.contains("\n---")
}

/// The map that a text stands for.
pub(crate) fn read_values(text: &str, file: FileIndex, helm: HelmVersion) -> Result<Node, Fault> {
    let start = Place { file, line: 1, column: 1 };
    let mut merged = Node { value: Value::Map(Vec::new()), place: start };
    let ended = if text.ends_with('\n') { Cow::Borrowed(text) } else { format!("{text}\n").into() };
    let pieces = match helm {
        HelmVersion::Four if has_several(text) => yaml_pieces(&ended, start),
        HelmVersion::Four => vec![Piece { text: &ended, start, form: Form::Yaml }],
        HelmVersion::Three => vec![Piece { text, start, form: Form::Yaml }],
    };
    for piece in pieces {
        let document = piece_value(&piece)?;
        match document.value {
            Value::Null => {}
            Value::Map(_) => merge(&mut merged, document),
            _ => {
                let cause = "values must be a map of names and values".to_owned();
                return Err(Fault { place: document.place, cause, is_fatal: true });
            }
        }
    }
    Ok(merged)
}

/// Takes over what another map says, map by map.
fn merge(into: &mut Node, from: Node) {
    match (&mut into.value, from.value) {
        (Value::Map(entries), Value::Map(others)) => {
            for (key, node) in others {
                match entries.iter_mut().find(|(known, _)| known.text == key.text) {
                    Some((_, known)) => merge(known, node),
                    None => entries.push((key, node)),
                }
            }
        }
        (_, value) => *into = Node { value, place: from.place },
    }
}
