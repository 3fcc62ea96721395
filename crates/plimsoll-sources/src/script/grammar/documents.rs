//! Here-documents: announced by `<<`, read at the next line end.

use super::super::syntax::{HereDocument, Piece, Position, Word};
use super::words::End;
use super::{Grammar, Parsed};

/// A here-document whose text has not come yet.
pub(super) struct Pending {
    number: usize,
    delimiter: String,
    is_quoted: bool,
    strips_tabs: bool,
}

impl Grammar {
    /// Remembers that a document is due, and returns its number.
    pub(super) fn announce(&mut self, delimiter: &Word, strips_tabs: bool) -> usize {
        let number = self.documents.len();
        self.documents.push(HereDocument::default());
        let is_quoted = delimiter.text.contains(['\'', '"', '\\']);
        let plain = delimiter.text.replace(['\'', '"', '\\'], "");
        self.pending.push(Pending { number, delimiter: plain, is_quoted, strips_tabs });
        number
    }

    /// Reads the text of every document that is due.
    pub(super) fn read_documents(&mut self) -> Parsed<()> {
        for due in std::mem::take(&mut self.pending) {
            let first_line = self.cursor.position().line;
            let text = self.document_text(&due);
            let pieces = if due.is_quoted {
                vec![Piece::Quoted(text)]
            } else {
                self.within(&text, Position { line: first_line, column: 1 }, |inner| {
                    inner.pieces(End::Document)
                })?
            };
            if let Some(document) = self.documents.get_mut(due.number) {
                *document = HereDocument { pieces, first_line };
            }
        }
        Ok(())
    }

    fn document_text(&mut self, due: &Pending) -> String {
        let mut text = String::new();
        while !self.cursor.is_at_end() {
            let line = self.cursor.take_while(|c| c != '\n');
            self.cursor.advance();
            let line = line.strip_suffix('\r').unwrap_or(&line);
            let line = if due.strips_tabs { line.trim_start_matches('\t') } else { line };
            if line == due.delimiter {
                break;
            }
            text.push_str(line);
            text.push('\n');
        }
        text
    }

    /// Reads a rule from another text, sharing the table of documents.
    pub(super) fn within<T>(
        &mut self,
        text: &str,
        start: Position,
        rule: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Parsed<T> {
        let mut inner = Self::new(text, start);
        inner.depth = self.depth;
        inner.documents = std::mem::take(&mut self.documents);
        let parsed = inner.nested(rule);
        self.documents = inner.documents;
        parsed
    }
}
