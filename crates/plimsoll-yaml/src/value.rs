//! One value of a text that is not a manifest: nothing is cut and nothing concealed.

use crate::build::Builder;
use crate::document::Fault;
use crate::events::listen;
use crate::split::{Form, Piece};
use plimsoll_model::{FileIndex, Node, Place, Value};

/// What `sigs.k8s.io/yaml` makes of a text: the first document of it, or null. Of equal keys the last one holds.
///
/// The fault never holds text of the file.
pub fn value(text: &str, file: FileIndex) -> Result<Node, Fault> {
    piece_value(&Piece { text, start: Place { file, line: 1, column: 1 }, form: Form::Yaml })
}

/// The same for one document of several.
pub fn piece_value(piece: &Piece<'_>) -> Result<Node, Fault> {
    let (builder, _) = listen(piece, Builder::default)?;
    Ok(builder.finish().0.unwrap_or(Node { value: Value::Null, place: piece.start }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_among_values_is_not_concealed() {
        let node = value("kind: Secret\ndata: {a: b}\n", FileIndex(0)).unwrap();
        assert_eq!(node.text_at(&["data", "a"]), Some("b"));
        assert_eq!(value("", FileIndex(0)).unwrap().value, Value::Null);
        assert!(value("a: [", FileIndex(0)).is_err());
    }
}
