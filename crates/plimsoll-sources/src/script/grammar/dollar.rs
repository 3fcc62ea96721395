//! Everything behind a `$`, backquotes, and process substitution.

use super::super::syntax::{List, Parameter, Piece};
use super::words::{End, Pieces};
use super::{Grammar, Parsed};
use std::rc::Rc;

impl Grammar {
    pub(super) fn dollar(&mut self, end: End, found: &mut Pieces) -> Parsed<()> {
        let piece = match self.cursor.peek_at(1) {
            Some('\'') if end == End::Word => {
                self.cursor.advance_by(2);
                Piece::Quoted(self.ansi_quoted()?)
            }
            Some('"') if end == End::Word => {
                self.cursor.advance();
                self.double_quoted()?
            }
            Some('(') => self.nested(Self::parenthesis)?,
            Some('{') => {
                self.cursor.advance_by(2);
                let inner = match end {
                    End::Word | End::Double | End::Brace => End::Brace,
                    End::Document | End::QuotedBrace => End::QuotedBrace,
                };
                Piece::Parameter(self.nested(|grammar| grammar.braces(inner))?)
            }
            Some(c) if c.is_ascii_alphabetic() || c == '_' => {
                self.cursor.advance();
                let name = self.cursor.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
                Piece::Parameter(Parameter { name, operator: None })
            }
            Some(c) if c.is_ascii_digit() || "@*#?-$!".contains(c) => {
                self.cursor.advance_by(2);
                Piece::Parameter(Parameter { name: c.to_string(), operator: None })
            }
            _ => {
                self.cursor.advance();
                found.text('$');
                return Ok(());
            }
        };
        found.push(piece);
        Ok(())
    }

    /// `$(…)` or `$((…))`; the cursor stands on the dollar sign.
    fn parenthesis(&mut self) -> Parsed<Piece> {
        self.cursor.advance_by(2);
        if self.cursor.peek() == Some('(') && self.is_arithmetic() {
            self.skip_arithmetic(1)?;
            return Ok(Piece::Arithmetic);
        }
        Ok(Piece::Command(Rc::new(self.list_in_parentheses()?)))
    }

    /// Whether the parentheses that open here close as `))`, with no other command between.
    pub(super) fn is_arithmetic(&self) -> bool {
        let (mut depth, mut ahead) = (0_i32, 0);
        while let Some(c) = self.cursor.peek_at(ahead) {
            match c {
                '(' => depth += 1,
                ')' if depth == 1 => return self.cursor.peek_at(ahead + 1) == Some(')'),
                ')' => depth -= 1,
                _ => {}
            }
            ahead += 1;
        }
        false
    }

    /// Skips arithmetic up to where all the parentheses that were opened are closed.
    pub(super) fn skip_arithmetic(&mut self, opened: u32) -> Parsed<()> {
        let mut depth = opened;
        while depth > 0 {
            match self.cursor.next() {
                None => return Err(self.missing("))")),
                Some('(') => depth += 1,
                Some(')') => depth -= 1,
                Some(_) => {}
            }
        }
        Ok(())
    }

    fn list_in_parentheses(&mut self) -> Parsed<List> {
        let list = self.list()?;
        if self.cursor.take(")") { Ok(list) } else { Err(self.missing(")")) }
    }

    pub(super) fn process_substitution(&mut self) -> Parsed<Piece> {
        self.cursor.advance_by(2);
        Ok(Piece::Process(Rc::new(self.nested(Self::list_in_parentheses)?)))
    }

    pub(super) fn backquotes(&mut self) -> Parsed<Piece> {
        self.cursor.advance();
        let start = self.cursor.position();
        let mut text = String::new();
        loop {
            match self.cursor.next() {
                None => return Err(self.missing("`")),
                Some('`') => break,
                Some('\\') if matches!(self.cursor.peek(), Some('`' | '\\' | '$')) => {
                    text.extend(self.cursor.next());
                }
                Some(c) => text.push(c),
            }
        }
        let list = self.within(&text, start, |inner| {
            let list = inner.list()?;
            if inner.cursor.is_at_end() { Ok(list) } else { Err(inner.unexpected()) }
        })?;
        Ok(Piece::Command(Rc::new(list)))
    }

    /// The inside of `${…}`.
    fn braces(&mut self, end: End) -> Parsed<Parameter> {
        let counts = self.cursor.peek() == Some('#') && self.cursor.peek_at(1) != Some('}');
        let is_indirect = self.cursor.peek() == Some('!') && self.cursor.peek_at(1) != Some('}');
        if counts || is_indirect {
            self.cursor.advance();
        }
        let mut name = self.cursor.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
        if name.is_empty() {
            name.extend(self.cursor.next());
        }
        if self.cursor.peek() == Some('[') {
            name.push_str(&self.index());
        }
        let sign = self.cursor.take_while(|c| ":-=?+#%/^,@".contains(c));
        let pieces = self.pieces(end)?;
        if !self.cursor.take("}") {
            return Err(self.missing("}"));
        }
        let counts = counts || is_indirect;
        let operator = match (counts, sign.is_empty() && pieces.is_empty()) {
            (true, _) => Some(("#".to_owned(), Vec::new())),
            (false, true) => None,
            (false, false) => Some((sign, pieces)),
        };
        Ok(Parameter { name, operator })
    }

    /// `[…]` behind the name of an array, as text.
    fn index(&mut self) -> String {
        let (start, mut depth) = (self.cursor.index(), 0_i32);
        while let Some(c) = self.cursor.next() {
            depth += i32::from(c == '[') - i32::from(c == ']');
            if depth == 0 {
                break;
            }
        }
        self.cursor.since(start)
    }

    /// The inside of `$'…'`; the escapes that occur in scripts.
    fn ansi_quoted(&mut self) -> Parsed<String> {
        let mut text = String::new();
        loop {
            match self.cursor.next() {
                None => return Err(self.missing("'")),
                Some('\'') => return Ok(text),
                Some('\\') => match self.cursor.next() {
                    Some('n') => text.push('\n'),
                    Some('t') => text.push('\t'),
                    Some('r') => text.push('\r'),
                    Some(c) => text.push(c),
                    None => {}
                },
                Some(c) => text.push(c),
            }
        }
    }
}
