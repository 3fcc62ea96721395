//! A position in the text that is being read.

use super::super::syntax::Position;

pub(super) struct Cursor {
    text: Vec<char>,
    index: usize,
    position: Position,
}

impl Cursor {
    pub(super) fn new(text: &str, position: Position) -> Self {
        Self { text: text.chars().collect(), index: 0, position }
    }

    pub(super) fn position(&self) -> Position {
        self.position
    }

    pub(super) fn index(&self) -> usize {
        self.index
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.index >= self.text.len()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.peek_at(0)
    }

    pub(super) fn peek_at(&self, ahead: usize) -> Option<char> {
        self.text.get(self.index + ahead).copied()
    }

    pub(super) fn advance(&mut self) {
        match self.peek() {
            Some('\n') => {
                self.position.line += 1;
                self.position.column = 1;
            }
            Some(_) => self.position.column += 1,
            None => return,
        }
        self.index += 1;
    }

    pub(super) fn advance_by(&mut self, count: usize) {
        for _ in 0..count {
            self.advance();
        }
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let found = self.peek();
        self.advance();
        found
    }

    pub(super) fn looking_at(&self, text: &str) -> bool {
        text.chars().enumerate().all(|(ahead, wanted)| self.peek_at(ahead) == Some(wanted))
    }

    /// Takes the text if it comes next.
    pub(super) fn take(&mut self, text: &str) -> bool {
        let found = self.looking_at(text);
        if found {
            self.advance_by(text.chars().count());
        }
        found
    }

    pub(super) fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> String {
        let start = self.index;
        while self.peek().is_some_and(&wanted) {
            self.advance();
        }
        self.since(start)
    }

    /// How many digits come next.
    pub(super) fn count_digits(&self) -> usize {
        self.text.iter().skip(self.index).take_while(|c| c.is_ascii_digit()).count()
    }

    pub(super) fn skip_line(&mut self) {
        while self.peek().is_some_and(|c| c != '\n') {
            self.advance();
        }
    }

    /// The text between an earlier index and here.
    pub(super) fn since(&self, start: usize) -> String {
        self.text.get(start..self.index).unwrap_or_default().iter().collect()
    }

    /// The word or operator that comes next, shortened, for messages.
    pub(super) fn peek_run(&self) -> String {
        let rest = self.text.get(self.index..).unwrap_or_default();
        let is_word = rest.first().is_some_and(|c| c.is_alphanumeric());
        let end = if is_word { rest.iter().position(|c| !c.is_alphanumeric()) } else { Some(1) };
        rest.iter().take(end.unwrap_or(rest.len()).min(20)).collect()
    }

    /// The run of plain letters that comes next, if a delimiter ends it: a candidate for a reserved word.
    pub(super) fn peek_reserved(&self) -> String {
        let rest = self.text.get(self.index..).unwrap_or_default();
        let word: String = rest.iter().take(9).take_while(|c| !is_delimiter(**c)).collect();
        if word.chars().count() < 9 { word } else { String::new() }
    }
}

/// Characters that end an unquoted word.
pub(super) fn is_delimiter(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n' | ';' | '&' | '|' | '(' | ')' | '<' | '>')
}
