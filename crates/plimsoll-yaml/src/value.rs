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
    let mut root = builder.finish().0.unwrap_or(Node { value: Value::Null, place: piece.start });
    if !piece.text.ends_with('\n') {
        cut_last_block(&mut root, piece);
    }
    Ok(root)
}

/// A block that ends with the text has no line break at its end if the text has none; the scanner adds one.
fn cut_last_block(root: &mut Node, piece: &Piece<'_>) {
    let mut last = root;
    loop {
        let next = match &mut last.value {
            Value::List(items) => items.last_mut(),
            // What is merged stands behind, and not in the text.
            Value::Map(entries) => entries.iter_mut().map(|(_, node)| node).max_by_key(|node| node.place),
            Value::Text(text) => {
                let line = last.place.line.saturating_sub(piece.start.line) as usize;
                let line = piece.text.lines().nth(line).unwrap_or_default();
                let sign = line.chars().nth(last.place.column.saturating_sub(1) as usize);
                if let (Some('|' | '>'), Some(kept)) = (sign, text.strip_suffix('\n')) {
                    *text = kept.into();
                }
                None
            }
            _ => None,
        };
        match next {
            Some(next) => last = next,
            None => return,
        }
    }
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

    #[test]
    fn a_block_at_the_end_has_the_line_break_of_the_text() {
        let text = |text: &str| value(text, FileIndex(0)).unwrap().text_at(&["a", "b"]).unwrap().to_owned();
        assert_eq!(text("a:\n  b: |\n    x\n    y"), "x\ny");
        assert_eq!(text("a:\n  b: |\n    x\n    y\n"), "x\ny\n");
        assert_eq!(text("a:\n  b: |\n    x\n  c: |\n    y"), "x\n");
        assert_eq!(text("a: {b: \"x\\n\"}"), "x\n");
    }
}
