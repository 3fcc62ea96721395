//! A file of values may have several documents; later ones win.

use plimsoll_model::{FileIndex, Node, Place, Value};
use plimsoll_yaml::{Fault, Form, Piece, piece_value, yaml_pieces};

/// All documents of a text as one map.
pub(crate) fn merge_documents(text: &str, file: FileIndex) -> Result<Node, Fault> {
    let start = Place { file, line: 1, column: 1 };
    let mut merged = Node { value: Value::Map(Vec::new()), place: start };
    let whole = [Piece { text, start, form: Form::Yaml }];
    let pieces = if text.contains("\n---") { yaml_pieces(text, start) } else { whole.to_vec() };
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
