//! One document, or the reason why it cannot be read.

use super::build::Builder;
use super::conceal::conceal;
use super::events::{Tail, listen};
use super::hide::hidden_lines;
use super::json::{Stopped, values};
use super::split::{Form, Piece, pieces, yaml_pieces};
use plimsoll_model::{FileIndex, Node, Place, Problem};
use std::ops::RangeInclusive;

/// A document that was read.
#[derive(Debug, Clone)]
pub struct Document {
    /// What it says.
    pub root: Node,
}

/// Why a document, or a part of it, cannot be taken as it stands. Never holds text of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Where.
    pub place: Place,
    /// Why, with the next step to take.
    pub cause: String,
    /// Whether the document was lost by it.
    pub is_fatal: bool,
}

/// What a text holds.
#[derive(Debug, Clone, Default)]
pub struct Parsed {
    /// The documents, without empty ones, in the order of writing.
    pub documents: Vec<Document>,
    /// What could not be read.
    pub faults: Vec<Fault>,
    /// Lines that must not be shown.
    pub hidden: Vec<RangeInclusive<u32>>,
}

/// Reads a whole text as kubectl would.
#[must_use]
pub fn parse(text: &str, file: FileIndex) -> Parsed {
    let start = Place { file, line: 1, column: 1 };
    let mut parsed = Parsed::default();
    for piece in pieces(text, start) {
        parsed.read(&piece);
    }
    parsed
}

/// Reads one piece of a text.
#[must_use]
pub fn parse_piece(piece: &Piece<'_>) -> Parsed {
    let mut parsed = Parsed::default();
    parsed.read(piece);
    parsed
}

/// A fault as it is reported.
#[must_use]
pub fn problem_of(fault: Fault) -> Problem {
    Problem { place: fault.place, cause: fault.cause, is_fatal: fault.is_fatal }
}

impl Fault {
    pub(super) fn new(place: Place, cause: impl Into<String>) -> Self {
        Self { place, cause: cause.into(), is_fatal: true }
    }

    fn remark(place: Place, cause: impl Into<String>) -> Self {
        Self { is_fatal: false, ..Self::new(place, cause) }
    }
}

impl Parsed {
    fn read(&mut self, piece: &Piece<'_>) {
        match piece.form {
            Form::Yaml => self.read_yaml(piece),
            Form::Json => self.read_json(piece),
            Form::BadSeparator => self.refuse(
                piece,
                Fault::new(
                    piece.start,
                    "kubectl refuses text behind the separator `---`; put the document on the next line",
                ),
            ),
        }
    }

    fn read_yaml(&mut self, piece: &Piece<'_>) {
        match listen(piece, Builder::default) {
            Ok((builder, tail)) => {
                if tail == Tail::Unread {
                    let cause = "kubectl stops reading at `...` and leaves out what follows up to the next `---`; \
                                 use `---` to begin another document";
                    self.faults.push(Fault::remark(piece.start, cause));
                }
                self.keep(builder, piece);
            }
            Err(fault) => self.refuse(piece, fault),
        }
    }

    /// kubectl takes a text that begins with a brace for JSON, and turns to YAML if that fails within the first two
    /// values (`k8s.io/apimachinery` v0.36.4, `pkg/util/yaml/decoder.go`, `YAMLOrJSONDecoder`).
    fn read_json(&mut self, piece: &Piece<'_>) {
        let mut count = 0;
        let stopped = values(piece, |value, builder| {
            count += 1;
            self.keep(builder, value);
        });
        let Some(Stopped { rest, fault }) = stopped else {
            return;
        };
        if count > 1 {
            self.refuse(&rest, fault);
            return;
        }
        for piece in yaml_pieces(rest.text, rest.start) {
            self.read(&piece);
        }
    }

    fn keep(&mut self, builder: Builder, piece: &Piece<'_>) {
        let (root, duplicates) = builder.finish();
        let Some(mut root) = root.filter(|root| !root.is_null()) else {
            return;
        };
        if let Some(first) = duplicates.first() {
            self.faults.push(duplicate(*first, duplicates.len()));
        }
        if conceal(&mut root) {
            self.hidden.extend(hidden_lines(piece));
        }
        self.documents.push(Document { root });
    }

    fn refuse(&mut self, piece: &Piece<'_>, mut fault: Fault) {
        if piece.text.contains("{{") {
            fault.cause.push_str("; if it is a template, render it first, for instance with `helm template`");
        }
        // The scanner notices what is missing at the end behind it, on a line that belongs to the next document.
        if fault.place.line > piece.last_line() {
            fault.place = Place { line: piece.last_line(), column: 0, ..fault.place };
        }
        // A broken document may be a Secret.
        self.hidden.push(piece.start.line..=piece.last_line());
        self.faults.push(fault);
    }
}

/// kubectl reads YAML without the strict mode and keeps the last of equal keys; the API server never sees the others
/// (`k8s.io/apimachinery` v0.36.4, `pkg/util/yaml/decoder.go`, `YAMLToJSONDecoder.Decode`). Only a JSON file with
/// equal keys among its labels or annotations is refused (`k8s.io/kubectl` v0.36.4, `pkg/validation/schema.go`).
fn duplicate(place: Place, count: usize) -> Fault {
    let more = if count > 1 { format!(" ({} more in this document)", count - 1) } else { String::new() };
    Fault::remark(
        place,
        format!(
            "this key stands twice in one map{more}; kubectl keeps the last and drops the other: remove one"
        ),
    )
}
