//! The shell grammar: a script's text becomes a syntax tree, or an error with line and column.
//!
//! Covers POSIX sh and the parts of bash that deploy scripts use. Nesting is bounded, nothing is looked up, nothing is run.

mod commands;
mod compound;
mod cursor;
mod documents;
mod dollar;
mod words;

use super::syntax::{HereDocument, Position, Program};
pub(crate) use commands::as_assignment;
use cursor::Cursor;
use documents::Pending;

/// How deep commands and expansions may be nested; far beyond any script a person writes.
const DEEPEST: u32 = 60;

/// A place where the text is not a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SyntaxError {
    pub(crate) at: Position,
    pub(crate) cause: String,
}

type Parsed<T> = Result<T, SyntaxError>;

/// Reads a whole script.
pub(crate) fn parse(text: &str) -> Parsed<Program> {
    parse_at(text, Position { line: 1, column: 1 })
}

/// Reads a script that begins at a position of another text, as the argument of `bash -c` does.
pub(crate) fn parse_at(text: &str, start: Position) -> Parsed<Program> {
    let mut grammar = Grammar::new(text, start);
    let list = grammar.list()?;
    if !grammar.cursor.is_at_end() {
        return Err(grammar.unexpected());
    }
    Ok(Program { list, documents: grammar.documents })
}

struct Grammar {
    cursor: Cursor,
    documents: Vec<HereDocument>,
    pending: Vec<Pending>,
    depth: u32,
}

impl Grammar {
    fn new(text: &str, start: Position) -> Self {
        Self { cursor: Cursor::new(text, start), documents: Vec::new(), pending: Vec::new(), depth: 0 }
    }

    /// Runs one nested rule, or refuses when the script is nested too deeply.
    fn nested<T>(&mut self, rule: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEEPEST {
            return Err(self.error(format!("commands are nested more than {DEEPEST} deep")));
        }
        self.depth += 1;
        let parsed = rule(self);
        self.depth -= 1;
        parsed
    }

    fn error(&self, cause: String) -> SyntaxError {
        SyntaxError { at: self.cursor.position(), cause }
    }

    fn unexpected(&self) -> SyntaxError {
        match self.cursor.peek() {
            None => self.error("the script ends in the middle of a command".to_owned()),
            Some('\n') => self.error("a command is missing at the end of this line".to_owned()),
            Some(_) => self.error(format!("`{}` is not expected here", self.cursor.peek_run())),
        }
    }

    fn missing(&self, what: &str) -> SyntaxError {
        match self.cursor.peek() {
            None => self.error(format!("`{what}` is missing at the end of the script")),
            Some(_) => self.error(format!("`{what}` is missing before `{}`", self.cursor.peek_run())),
        }
    }

    /// Skips blanks, continued lines and a comment.
    fn blanks(&mut self) {
        loop {
            match self.cursor.peek() {
                Some(' ' | '\t' | '\r') => self.cursor.advance(),
                Some('\\') if self.cursor.peek_at(1) == Some('\n') => self.cursor.advance_by(2),
                Some('\\') if self.cursor.looking_at("\\\r\n") => self.cursor.advance_by(3),
                Some('#') => self.cursor.skip_line(),
                _ => return,
            }
        }
    }

    /// Skips blanks and line ends; a line end brings the here-documents that were announced.
    fn newlines(&mut self) -> Parsed<()> {
        loop {
            self.blanks();
            if self.cursor.peek() != Some('\n') {
                return Ok(());
            }
            self.cursor.advance();
            self.read_documents()?;
        }
    }
}
