//! Words and their parts: quotes, escapes, and where a word ends.

use super::super::syntax::{Piece, Word};
use super::cursor::is_delimiter;
use super::{Grammar, Parsed};

/// What ends a run of parts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// A blank or an operator.
    Word,
    /// A double quote.
    Double,
    /// The brace of `${…}`.
    Brace,
    /// The brace of `${…}` inside a here-document, where a single quote is only a character.
    QuotedBrace,
    /// The end of a here-document.
    Document,
}

impl Grammar {
    /// Reads one word; the caller has seen that one begins here.
    pub(super) fn word(&mut self) -> Parsed<Word> {
        let (at, start) = (self.cursor.position(), self.cursor.index());
        let mut pieces = self.nested(|grammar| grammar.pieces(End::Word))?;
        if self.cursor.peek() == Some('(') && is_assignment_head(&pieces) {
            self.cursor.advance();
            pieces.push(Piece::Array(self.nested(Self::array)?));
        }
        if self.cursor.index() == start {
            return Err(self.unexpected());
        }
        Ok(Word { pieces, text: self.cursor.since(start), at })
    }

    fn array(&mut self) -> Parsed<Vec<Word>> {
        let mut items = Vec::new();
        loop {
            self.newlines()?;
            if self.cursor.take(")") {
                return Ok(items);
            }
            items.push(self.word()?);
        }
    }

    /// Reads the parts of a word up to its end, which is left standing (a closing quote or brace too).
    pub(super) fn pieces(&mut self, end: End) -> Parsed<Vec<Piece>> {
        let mut found = Pieces::default();
        while let Some(c) = self.cursor.peek() {
            match c {
                '"' if end == End::Double => break,
                '}' if matches!(end, End::Brace | End::QuotedBrace) => break,
                '\\' => self.escape(end, &mut found),
                '$' => self.dollar(end, &mut found)?,
                '`' => {
                    let piece = self.backquotes()?;
                    found.push(piece);
                }
                '\'' if matches!(end, End::Word | End::Brace) => {
                    self.cursor.advance();
                    found.push(Piece::Quoted(self.single_quoted()?));
                }
                '"' if end != End::Document => {
                    let piece = self.double_quoted()?;
                    found.push(piece);
                }
                '<' | '>' if end == End::Word && self.cursor.peek_at(1) == Some('(') && found.is_empty() => {
                    let piece = self.process_substitution()?;
                    found.push(piece);
                }
                '(' if end == End::Word && found.ends_with_pattern_sign() => {
                    self.extended_pattern(&mut found)?;
                }
                c if end == End::Word && is_delimiter(c) => break,
                c => {
                    self.cursor.advance();
                    found.text(c);
                }
            }
        }
        Ok(found.done())
    }

    fn escape(&mut self, end: End, found: &mut Pieces) {
        self.cursor.advance();
        let escapes = match end {
            End::Word | End::Brace => true,
            End::Double => matches!(self.cursor.peek(), Some('$' | '`' | '"' | '\\' | '\n')),
            End::QuotedBrace => matches!(self.cursor.peek(), Some('$' | '`' | '"' | '\\' | '}' | '\n')),
            End::Document => matches!(self.cursor.peek(), Some('$' | '`' | '\\' | '\n')),
        };
        match self.cursor.peek() {
            Some('\n') => self.cursor.advance(),
            Some(c) if escapes => {
                self.cursor.advance();
                found.push(Piece::Quoted(c.to_string()));
            }
            _ => found.text('\\'),
        }
    }

    /// Reads up to the closing single quote; the opening one is behind.
    pub(super) fn single_quoted(&mut self) -> Parsed<String> {
        let text = self.cursor.take_while(|c| c != '\'');
        if self.cursor.take("'") { Ok(text) } else { Err(self.missing("'")) }
    }

    pub(super) fn double_quoted(&mut self) -> Parsed<Piece> {
        self.cursor.advance();
        let pieces = self.nested(|grammar| grammar.pieces(End::Double))?;
        if self.cursor.take("\"") { Ok(Piece::Double(pieces)) } else { Err(self.missing("\"")) }
    }

    /// `@(a|b)` and its like: kept as text, it can only name files.
    fn extended_pattern(&mut self, found: &mut Pieces) -> Parsed<()> {
        let mut depth = 0_u32;
        loop {
            match self.cursor.next() {
                None => return Err(self.missing(")")),
                Some(c) => {
                    found.text(c);
                    depth = match c {
                        '(' => depth + 1,
                        ')' => depth - 1,
                        _ => depth,
                    };
                    if depth == 0 {
                        return Ok(());
                    }
                }
            }
        }
    }
}

fn is_assignment_head(pieces: &[Piece]) -> bool {
    match pieces {
        [Piece::Bare(text)] => {
            text.strip_suffix('=').is_some_and(|name| is_name(name.strip_suffix('+').unwrap_or(name)))
        }
        _ => false,
    }
}

/// Whether a text can name a variable.
pub(super) fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && letters.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Parts in the making: runs of plain characters become one part.
#[derive(Default)]
pub(super) struct Pieces {
    found: Vec<Piece>,
    run: String,
}

impl Pieces {
    pub(super) fn text(&mut self, c: char) {
        self.run.push(c);
    }

    pub(super) fn push(&mut self, piece: Piece) {
        self.flush();
        self.found.push(piece);
    }

    fn is_empty(&self) -> bool {
        self.run.is_empty() && self.found.is_empty()
    }

    fn ends_with_pattern_sign(&self) -> bool {
        self.run.ends_with(['?', '*', '+', '@', '!'])
    }

    fn flush(&mut self) {
        if !self.run.is_empty() {
            self.found.push(Piece::Bare(std::mem::take(&mut self.run)));
        }
    }

    fn done(mut self) -> Vec<Piece> {
        self.flush();
        self.found
    }
}
