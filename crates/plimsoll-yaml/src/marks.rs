//! From the scanner's marks to places of the file.

use super::document::Fault;
use super::events::Span;
use super::split::Piece;
use libyaml_safer::{Event, Mark};
use plimsoll_model::Place;

/// Turns the scanner's marks into places of the file.
pub(super) struct Marks<'t> {
    piece: Piece<'t>,
    has_odd_breaks: bool,
}

impl<'t> Marks<'t> {
    pub(super) fn new(piece: &Piece<'t>) -> Self {
        Self { piece: *piece, has_odd_breaks: has_odd_breaks(piece.text) }
    }

    /// Where an event stands.
    pub(super) fn span(&self, raw: &Event) -> Span {
        let start = self.place(raw.start_mark);
        let end = self.place(raw.end_mark);
        // A block ends where the next thing begins, perhaps on another line.
        let last_line = if end == start {
            0
        } else if end.column == 1 {
            end.line.saturating_sub(1)
        } else {
            end.line
        };
        Span { start, last_line }
    }

    fn place(&self, mark: Mark) -> Place {
        if self.has_odd_breaks {
            // YAML 1.1 ends lines at characters where no editor does, so lines are counted anew.
            return self.place_at_byte(usize::try_from(mark.index).unwrap_or(usize::MAX));
        }
        self.place_at(mark.line, mark.column)
    }

    fn place_at_byte(&self, index: usize) -> Place {
        let text = self.piece.text;
        let before = text.get(..index.min(text.len())).unwrap_or_default();
        let lines = before.bytes().filter(|byte| *byte == b'\n').count();
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count();
        self.place_at(lines as u64, column as u64)
    }

    /// A place by line and column from 0 inside the piece.
    fn place_at(&self, line: u64, column: u64) -> Place {
        let start = self.piece.start;
        let first_column = if line == 0 { start.column } else { 1 };
        Place {
            file: start.file,
            line: start.line.saturating_add(u32::try_from(line).unwrap_or(u32::MAX)),
            column: first_column.saturating_add(u32::try_from(column).unwrap_or(u32::MAX)),
        }
    }

    /// What the scanner complains of, and where.
    pub(super) fn fault(&self, error: &libyaml_safer::Error) -> Fault {
        let place = error.problem_mark().map_or_else(|| self.first_control(), |mark| self.place(mark));
        let context = error.context().map(|context| format!(" {context}")).unwrap_or_default();
        Fault::new(
            place,
            format!("this is not valid YAML ({}{context}); correct it and try again", error.problem()),
        )
    }

    /// Where the character stands that YAML does not allow.
    fn first_control(&self) -> Place {
        let is_control = |c: char| c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\u{85}');
        self.place_at_byte(self.piece.text.find(is_control).unwrap_or_default())
    }
}

fn has_odd_breaks(text: &str) -> bool {
    if text.is_ascii() && !text.contains('\r') {
        return false;
    }
    text.contains(['\u{85}', '\u{2028}', '\u{2029}']) || text.replace("\r\n", "").contains('\r')
}
