//! Cuts a text into the pieces that are read one by one.
//!
//! As `k8s.io/apimachinery` v0.36.4 `pkg/util/yaml/decoder.go` (`YAMLReader`) cuts it: by lines that begin with
//! `---`, whatever stands around them. Only blanks or a comment may follow on such a line.

use memchr::memmem;
use plimsoll_model::{FileIndex, Place};

/// A part of a file that is read on its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece<'t> {
    /// The text of the part.
    pub text: &'t str,
    /// Where the part begins.
    pub start: Place,
    /// How the part is read.
    pub form: Form,
}

/// How a piece is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// One YAML document.
    Yaml,
    /// JSON values one after another.
    Json,
    /// A separator line that kubectl refuses.
    BadSeparator,
}

/// How far kubectl looks for the brace that makes a stream JSON (`cli-runtime`, `visitor.go`, `StreamVisitor`).
const JSON_LOOK: usize = 4096;

/// The pieces of a text that begins at a place.
#[must_use]
pub fn pieces(text: &str, start: Place) -> Vec<Piece<'_>> {
    if looks_like_json(text) {
        return vec![Piece { text, start, form: Form::Json }];
    }
    yaml_pieces(text, start)
}

/// The pieces of a text that is known to be YAML.
#[must_use]
pub fn yaml_pieces(text: &str, start: Place) -> Vec<Piece<'_>> {
    let mut cutter = Cutter { text, begin: 0, start, found: Vec::new() };
    let first = text.starts_with("---").then_some(0);
    let later = memmem::find_iter(text.as_bytes(), "\n---").map(|at| at + 1);
    for at in first.into_iter().chain(later) {
        cutter.separator(at);
    }
    cutter.finish()
}

fn looks_like_json(text: &str) -> bool {
    let mut end = text.len().min(JSON_LOOK);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).is_some_and(|head| head.trim_start().starts_with('{'))
}

struct Cutter<'t> {
    text: &'t str,
    begin: usize,
    start: Place,
    found: Vec<Piece<'t>>,
}

impl<'t> Cutter<'t> {
    fn separator(&mut self, at: usize) {
        let rest = self.text.get(at..).unwrap_or_default();
        let line = rest.split_inclusive('\n').next().unwrap_or_default();
        let after = line.trim_start_matches("---").trim();
        let after = if line.starts_with("----") { "-" } else { after };
        if !after.is_empty() && !after.starts_with('#') {
            self.emit(at, Form::Yaml);
            self.emit(at + line.len(), Form::BadSeparator);
        } else if self.begin < at {
            // A separator that ends a document is dropped; the one that opens the text belongs to its document.
            self.emit(at, Form::Yaml);
            self.skip(at + line.len());
        }
    }

    fn emit(&mut self, end: usize, form: Form) {
        self.add(end, form);
        self.skip(end);
    }

    fn add(&mut self, end: usize, form: Form) {
        let text = self.text.get(self.begin..end).unwrap_or_default();
        if !text.is_empty() {
            self.found.push(Piece { text, start: self.start, form });
        }
    }

    fn skip(&mut self, end: usize) {
        let passed = self.text.get(self.begin..end).unwrap_or_default();
        let lines = passed.bytes().filter(|byte| *byte == b'\n').count();
        if lines > 0 {
            self.start.line = self.start.line.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
            self.start.column = 1;
        }
        self.begin = end;
    }

    fn finish(mut self) -> Vec<Piece<'t>> {
        self.add(self.text.len(), Form::Yaml);
        self.found
    }
}

impl Piece<'_> {
    /// The file of the piece.
    #[must_use]
    pub fn file(&self) -> FileIndex {
        self.start.file
    }

    /// The number of the last line.
    #[must_use]
    pub fn last_line(&self) -> u32 {
        let breaks = self.text.trim_end_matches('\n').bytes().filter(|byte| *byte == b'\n').count();
        self.start.line.saturating_add(u32::try_from(breaks).unwrap_or(u32::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start() -> Place {
        Place { file: FileIndex(0), line: 1, column: 1 }
    }

    fn check(text: &str, expect: &[(&str, u32)]) {
        let found = pieces(text, start());
        let found: Vec<_> = found.iter().map(|piece| (piece.text, piece.start.line)).collect();
        assert_eq!(found, expect, "{text:?}");
    }

    #[test]
    fn a_separator_ends_a_document_and_opens_the_first() {
        check("a: 1\n---\nb: 2\n", &[("a: 1\n", 1), ("b: 2\n", 3)]);
        check("---\na: 1\n--- # next\nb: 2", &[("---\na: 1\n", 1), ("b: 2", 4)]);
        check("a: 1\r\n---\r\nb: 2\r\n", &[("a: 1\r\n", 1), ("b: 2\r\n", 3)]);
        check("", &[]);
    }

    #[test]
    fn a_separator_inside_a_block_scalar_cuts_only_at_the_margin() {
        check("a: |\n  ---\nb: 1\n", &[("a: |\n  ---\nb: 1\n", 1)]);
    }

    #[test]
    fn text_after_a_separator_is_refused() {
        let found = pieces("a: 1\n--- {b: 2}\nc: 3\n", start());
        let forms: Vec<_> = found.iter().map(|piece| (piece.form, piece.start.line)).collect();
        assert_eq!(forms, [(Form::Yaml, 1), (Form::BadSeparator, 2), (Form::Yaml, 3)]);
        assert_eq!(pieces("-----BEGIN\n", start())[0].form, Form::BadSeparator);
    }

    #[test]
    fn a_brace_first_makes_it_json() {
        assert_eq!(pieces(" \n {\"a\": 1}", start())[0].form, Form::Json);
    }
}
