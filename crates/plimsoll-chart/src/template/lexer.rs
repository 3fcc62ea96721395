//! Cuts a template into words, as `text/template/parse/lex.go` of Go 1.26 does.

use super::token::{Token, TokenKind};
use memchr::memmem::Finder;
use std::sync::LazyLock;

const LEFT: &str = "{{";
const RIGHT: &str = "}}";
/// Finds the next action. To prepare the search takes longer than the search.
static ACTION: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(LEFT));
/// A `-` and the blank that must stand between it and the action.
const TRIM_LENGTH: usize = 2;
const BLANKS: [char; 4] = [' ', '\t', '\r', '\n'];

/// Reads words one by one; after an error there is nothing but the end.
#[derive(Debug)]
pub(super) struct Lexer<'t> {
    text: &'t str,
    start: usize,
    position: usize,
    is_inside: bool,
    open: usize,
    /// What is wrong, behind an error.
    pub(super) cause: String,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, start: 0, position: 0, is_inside: false, open: 0, cause: String::new() }
    }

    /// The next word; [`TokenKind::End`] again and again at the end.
    pub(super) fn next(&mut self) -> Token<'t> {
        if self.is_inside { self.inside() } else { self.outside() }
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.position..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn advance(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.position += next.len_utf8();
        Some(next)
    }

    fn accept(&mut self, valid: &str) -> bool {
        let is_valid = self.peek().is_some_and(|next| valid.contains(next));
        if is_valid {
            self.advance();
        }
        is_valid
    }

    fn accept_run(&mut self, valid: &str) {
        while self.accept(valid) {}
    }

    fn ignore(&mut self) {
        self.start = self.position;
    }

    fn emit(&mut self, kind: TokenKind) -> Token<'t> {
        let text = self.text.get(self.start..self.position).unwrap_or_default();
        let start = offset(self.start);
        self.start = self.position;
        Token { kind, start, text }
    }

    fn error(&mut self, cause: impl Into<String>) -> Token<'t> {
        let start = offset(self.start);
        self.text = "";
        self.start = 0;
        self.position = 0;
        self.is_inside = false;
        self.cause = cause.into();
        Token { kind: TokenKind::Error, start, text: "" }
    }

    fn outside(&mut self) -> Token<'t> {
        loop {
            let Some(length) = ACTION.find(self.rest().as_bytes()) else {
                self.position = self.text.len();
                let kind = if self.position > self.start { TokenKind::Text } else { TokenKind::End };
                return self.emit(kind);
            };
            let text = self.rest().get(..length).unwrap_or_default();
            self.position += length;
            if has_left_trim(self.rest().get(LEFT.len()..).unwrap_or_default()) {
                let kept = text.trim_end_matches(BLANKS).len();
                self.position -= length - kept;
                if kept > 0 {
                    let token = self.emit(TokenKind::Text);
                    self.position += length - kept;
                    self.ignore();
                    return token;
                }
                self.position += length;
                self.ignore();
            } else if length > 0 {
                return self.emit(TokenKind::Text);
            }
            if let Some(token) = self.left_delimiter() {
                return token;
            }
        }
    }

    /// The opening of an action, or `None` behind a comment.
    fn left_delimiter(&mut self) -> Option<Token<'t>> {
        self.position += LEFT.len();
        let marker = if has_left_trim(self.rest()) { TRIM_LENGTH } else { 0 };
        if self.rest().get(marker..).is_some_and(|rest| rest.starts_with("/*")) {
            self.position += marker;
            self.ignore();
            return self.comment();
        }
        let token = self.emit(TokenKind::LeftDelimiter);
        self.is_inside = true;
        self.open = 0;
        self.position += marker;
        self.ignore();
        Some(token)
    }

    fn comment(&mut self) -> Option<Token<'t>> {
        self.position += "/*".len();
        let Some(length) = self.rest().find("*/") else {
            return Some(self.error("unclosed comment"));
        };
        self.position += length + "*/".len();
        let Some(trims) = self.at_right_delimiter() else {
            return Some(self.error("comment ends before closing delimiter"));
        };
        self.position += RIGHT.len() + if trims { TRIM_LENGTH } else { 0 };
        if trims {
            self.skip_blanks();
        }
        self.ignore();
        None
    }

    fn skip_blanks(&mut self) {
        let blanks = self.rest().bytes().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'));
        self.position += blanks.count();
    }

    /// Whether a closing delimiter stands here, and whether it trims what follows.
    fn at_right_delimiter(&self) -> Option<bool> {
        let rest = self.rest();
        let behind_marker = || rest.get(TRIM_LENGTH..).is_some_and(|rest| rest.starts_with(RIGHT));
        if has_right_trim(rest) && behind_marker() {
            return Some(true);
        }
        rest.starts_with(RIGHT).then_some(false)
    }

    fn right_delimiter(&mut self, trims: bool) -> Token<'t> {
        if trims {
            self.position += TRIM_LENGTH;
            self.ignore();
        }
        self.position += RIGHT.len();
        let token = self.emit(TokenKind::RightDelimiter);
        if trims {
            self.skip_blanks();
            self.ignore();
        }
        self.is_inside = false;
        token
    }

    fn inside(&mut self) -> Token<'t> {
        if let Some(trims) = self.at_right_delimiter() {
            if self.open > 0 {
                return self.error("unclosed left paren");
            }
            return self.right_delimiter(trims);
        }
        let Some(first) = self.advance() else {
            return self.error("unclosed action");
        };
        match first {
            ' ' | '\t' | '\r' | '\n' => self.space(),
            '=' => self.emit(TokenKind::Assign),
            ':' => match self.advance() {
                Some('=') => self.emit(TokenKind::Declare),
                _ => self.error("expected :="),
            },
            '|' => self.emit(TokenKind::Pipe),
            '"' => self.quoted('"', TokenKind::String, "unterminated quoted string"),
            '\'' => self.quoted('\'', TokenKind::CharacterConstant, "unterminated character constant"),
            '`' => self.raw_string(),
            '$' => self.field_or_variable(TokenKind::Variable),
            '.' if !self.peek().is_some_and(|next| next.is_ascii_digit()) && !self.rest().is_empty() => {
                self.field_or_variable(TokenKind::Field)
            }
            '.' | '+' | '-' | '0'..='9' => self.number(),
            '(' => {
                self.open += 1;
                self.emit(TokenKind::LeftParenthesis)
            }
            ')' => self.right_parenthesis(),
            _ if is_word(first) => self.identifier(),
            '!'..='~' => self.emit(TokenKind::Character),
            _ => self.error(format!("unrecognized character in action: {}", code_point(first))),
        }
    }

    fn right_parenthesis(&mut self) -> Token<'t> {
        match self.open.checked_sub(1) {
            Some(open) => {
                self.open = open;
                self.emit(TokenKind::RightParenthesis)
            }
            None => self.error("unexpected right paren"),
        }
    }

    /// Blanks; the last one may belong to a trim marker.
    fn space(&mut self) -> Token<'t> {
        self.skip_blanks();
        let last = self.position - 1;
        let behind = self.text.get(last..).unwrap_or_default();
        let trims =
            has_right_trim(behind) && behind.get(TRIM_LENGTH..).is_some_and(|rest| rest.starts_with(RIGHT));
        if trims {
            self.position = last;
            if self.position == self.start {
                return self.right_delimiter(true);
            }
        }
        self.emit(TokenKind::Space)
    }

    fn identifier(&mut self) -> Token<'t> {
        self.skip_word();
        if !self.at_terminator() {
            return self.bad_character();
        }
        let word = self.text.get(self.start..self.position).unwrap_or_default();
        self.emit(TokenKind::of_word(word))
    }

    fn field_or_variable(&mut self, kind: TokenKind) -> Token<'t> {
        if self.at_terminator() {
            let is_field = kind == TokenKind::Field;
            return self.emit(if is_field { TokenKind::Dot } else { kind });
        }
        self.skip_word();
        if !self.at_terminator() {
            return self.bad_character();
        }
        self.emit(kind)
    }

    /// Letters and digits, which are seldom others than those of ASCII.
    fn skip_word(&mut self) {
        let plain = self.rest().bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        self.position += plain.count();
        while self.peek().is_some_and(is_word) {
            self.advance();
        }
    }

    fn bad_character(&mut self) -> Token<'t> {
        let found = self.peek().map_or_else(String::new, code_point);
        self.error(format!("bad character {found}"))
    }

    fn at_terminator(&self) -> bool {
        match self.peek() {
            None | Some(' ' | '\t' | '\r' | '\n' | '.' | ',' | '|' | ':' | ')' | '(') => true,
            Some(_) => self.rest().starts_with(RIGHT),
        }
    }

    fn quoted(&mut self, quote: char, kind: TokenKind, cause: &str) -> Token<'t> {
        loop {
            match self.advance() {
                Some('\\') => match self.advance() {
                    Some('\n') | None => return self.error(cause),
                    Some(_) => {}
                },
                None | Some('\n') => return self.error(cause),
                Some(next) if next == quote => return self.emit(kind),
                Some(_) => {}
            }
        }
    }

    fn raw_string(&mut self) -> Token<'t> {
        match self.rest().find('`') {
            Some(length) => {
                self.position += length + 1;
                self.emit(TokenKind::RawString)
            }
            None => self.error("unterminated raw quoted string"),
        }
    }

    fn number(&mut self) -> Token<'t> {
        self.position = self.start;
        if !self.scan_number() {
            return self.bad_number();
        }
        if matches!(self.peek(), Some('+' | '-')) {
            let is_complex =
                self.scan_number() && self.text.get(..self.position).is_some_and(|t| t.ends_with('i'));
            return if is_complex { self.emit(TokenKind::Complex) } else { self.bad_number() };
        }
        self.emit(TokenKind::Number)
    }

    fn bad_number(&mut self) -> Token<'t> {
        let text = self.text.get(self.start..self.position).unwrap_or_default();
        self.error(format!("bad number syntax: {}", super::quote::quoted(text)))
    }

    fn scan_number(&mut self) -> bool {
        const DECIMAL: &str = "0123456789_";
        const HEXADECIMAL: &str = "0123456789abcdefABCDEF_";
        self.accept("+-");
        let mut digits = DECIMAL;
        if self.accept("0") {
            if self.accept("xX") {
                digits = HEXADECIMAL;
            } else if self.accept("oO") {
                digits = "01234567_";
            } else if self.accept("bB") {
                digits = "01_";
            }
        }
        self.accept_run(digits);
        if self.accept(".") {
            self.accept_run(digits);
        }
        let has_exponent =
            (digits == DECIMAL && self.accept("eE")) || (digits == HEXADECIMAL && self.accept("pP"));
        if has_exponent {
            self.accept("+-");
            self.accept_run(DECIMAL);
        }
        self.accept("i");
        if self.peek().is_some_and(is_word) {
            self.advance();
            return false;
        }
        true
    }
}

fn is_word(character: char) -> bool {
    character == '_' || character.is_alphanumeric()
}

fn has_left_trim(text: &str) -> bool {
    text.strip_prefix('-').is_some_and(|rest| rest.starts_with(BLANKS))
}

fn has_right_trim(text: &str) -> bool {
    text.strip_prefix(BLANKS).is_some_and(|rest| rest.starts_with('-'))
}

/// As Go's `%#U` shows a character.
fn code_point(character: char) -> String {
    format!("U+{:04X} '{character}'", u32::from(character))
}

/// Texts are limited long before their length leaves these bounds.
fn offset(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}
