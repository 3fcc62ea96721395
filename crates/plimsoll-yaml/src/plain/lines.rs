//! A piece as lines.

use crate::split::Piece;
use memchr::memchr;

/// The lines of a piece that were not read yet.
pub(super) struct Lines<'t> {
    /// What follows. The scanner is given a line break behind the text, so the end is a line too, often an empty one.
    rest: Option<&'t str>,
    /// The number of the first line in `rest`.
    number: u32,
    has_tabs: bool,
}

/// A line with its number in the file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line<'t> {
    pub(super) text: &'t str,
    pub(super) number: u32,
    /// How many spaces it begins with.
    pub(super) indent: usize,
}

impl<'t> Lines<'t> {
    pub(super) fn new(piece: &Piece<'t>) -> Self {
        Self { rest: Some(piece.text), number: piece.start.line, has_tabs: piece.text.contains('\t') }
    }

    /// The next line, which stays the next one.
    pub(super) fn peek(&self) -> Option<Line<'t>> {
        let rest = self.rest?;
        let end = memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
        let text = rest.get(..end).unwrap_or_default();
        Some(Line { text, number: self.number, indent: leading_spaces(text) })
    }

    /// The next line, taken.
    pub(super) fn take(&mut self) -> Option<Line<'t>> {
        let line = self.peek()?;
        self.leave(&line);
        Some(line)
    }

    /// Takes the line that was looked at.
    pub(super) fn leave(&mut self, line: &Line<'t>) {
        self.rest = self.rest.and_then(|rest| rest.get(line.text.len() + 1..));
        self.number = self.number.saturating_add(1);
    }

    /// The next line that is neither blank nor a comment.
    pub(super) fn take_content(&mut self) -> Option<Line<'t>> {
        loop {
            let line = self.take()?;
            if !line.ends_at(line.indent) {
                return Some(line);
            }
        }
    }

    /// Whether the next line that is not blank stands beyond a column and is no comment.
    pub(super) fn go_on_beyond(&self, column: usize) -> bool {
        let mut rest = self.rest.unwrap_or_default();
        loop {
            let indent = leading_spaces(rest);
            match rest.as_bytes().get(indent) {
                None | Some(b'#') => return false,
                Some(b'\n') => rest = rest.get(indent + 1..).unwrap_or_default(),
                Some(_) => return indent > column,
            }
        }
    }

    /// Whether the line is one whose meaning is beyond doubt so far: no tab, no mark of a document.
    pub(super) fn is_safe(&self, line: &Line<'_>) -> bool {
        let is_mark = line.indent == 0 && (line.text.starts_with("---") || line.text.starts_with("..."));
        let has_tab = self.has_tabs && line.text.contains('\t');
        !is_mark && !has_tab
    }
}

impl<'t> Line<'t> {
    /// The text from a column on.
    pub(super) fn from(&self, column: usize) -> &'t str {
        self.text.get(column..).unwrap_or_default()
    }

    pub(super) fn byte(&self, column: usize) -> Option<u8> {
        self.text.as_bytes().get(column).copied()
    }

    /// The column of the next character that is no space.
    pub(super) fn skip_spaces(&self, column: usize) -> usize {
        column + leading_spaces(self.from(column))
    }

    /// Whether nothing but spaces or a comment stands from a column on. A comment has a space or nothing before it.
    pub(super) fn ends_at(&self, column: usize) -> bool {
        let after = self.skip_spaces(column);
        match self.byte(after) {
            None => true,
            Some(b'#') => after > column || after == self.indent,
            Some(_) => false,
        }
    }

    /// Whether an item of a list begins at a column.
    pub(super) fn is_item(&self, column: usize) -> bool {
        self.byte(column) == Some(b'-') && matches!(self.byte(column + 1), None | Some(b' '))
    }
}

fn leading_spaces(text: &str) -> usize {
    text.bytes().take_while(|byte| *byte == b' ').count()
}
