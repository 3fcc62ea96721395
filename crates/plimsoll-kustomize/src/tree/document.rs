//! Cuts a text into documents as kustomize does (`kyaml` v0.21.1, `kio/byteio_reader.go`, `splitDocuments`).

use crate::refusal::Refusal;
use plimsoll_model::Place;
use plimsoll_yaml::{Form, Piece};

/// One document of a text, not yet read.
pub(crate) type Document<'t> = Piece<'t>;

/// The documents of a text that begins at a place.
pub(crate) fn documents(text: &str, start: Place) -> Result<Vec<Document<'_>>, Refusal> {
    let mut found = Vec::new();
    let (mut begin, mut place) = (0, start);
    while let Some((at, end)) = separator(text, begin) {
        let line = text.get(at + 1..end).unwrap_or_default();
        let behind = line.get(3..).unwrap_or_default().trim();
        let piece = text.get(begin..=at).unwrap_or_default();
        let breaks =
            |text: &str| u32::try_from(text.bytes().filter(|byte| *byte == b'\n').count()).unwrap_or(0);
        let at_separator = Place { line: place.line + breaks(piece), column: 1, ..start };
        if !behind.is_empty() && !behind.starts_with('#') {
            let cause =
                "kustomize refuses text behind the separator `---`; put the document on the next line";
            return Err(Refusal::new(at_separator, cause));
        }
        found.push(Piece { text: piece, start: place, form: Form::Yaml });
        begin = end;
        place = Place { line: at_separator.line + 1, ..at_separator };
    }
    found.push(Piece { text: text.get(begin..).unwrap_or_default(), start: place, form: Form::Yaml });
    Ok(found)
}

/// The next line that begins with `---` and has a line before it and an end: where the line before it ends, and where
/// it ends itself.
fn separator(text: &str, from: usize) -> Option<(usize, usize)> {
    let rest = text.get(from..)?;
    let at = from + rest.find("\n---")?;
    let line = text.get(at + 1..)?;
    Some((at, at + 1 + line.find('\n')? + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_have_a_line_before_and_an_end() {
        let start = Place { line: 1, column: 1, ..Place::default() };
        let lines = |text: &str| -> Vec<(u32, String)> {
            let found = documents(text, start).unwrap();
            found.iter().map(|piece| (piece.start.line, piece.text.to_owned())).collect()
        };
        assert_eq!(lines("---\na: 1\n--- # x\nb: 2\n"), [(1, "---\na: 1\n".into()), (4, "b: 2\n".into())]);
        assert_eq!(lines("a: 1\n---"), [(1, "a: 1\n---".to_owned())]);
        assert!(documents("a: 1\n--- b\nc: 1\n", start).is_err());
    }
}
