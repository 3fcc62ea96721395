//! The words of a template: what the lexer hands to the parser.

use std::fmt;

/// One word, and where it begins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Token<'t> {
    pub(super) kind: TokenKind,
    /// The offset in bytes.
    pub(super) start: u32,
    /// The text as written; nothing for an error, of which the lexer tells.
    pub(super) text: &'t str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    Error,
    Bool,
    Character,
    CharacterConstant,
    Complex,
    Assign,
    Declare,
    End,
    Field,
    Identifier,
    LeftDelimiter,
    LeftParenthesis,
    Number,
    Pipe,
    RawString,
    RightDelimiter,
    RightParenthesis,
    Space,
    String,
    Text,
    Variable,
    Dot,
    Nil,
    Keyword(Keyword),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keyword {
    Block,
    Break,
    Continue,
    Define,
    Else,
    End,
    If,
    Range,
    Template,
    With,
}

impl TokenKind {
    /// What a word of letters is.
    pub(super) fn of_word(word: &str) -> Self {
        let keyword = match word {
            "block" => Keyword::Block,
            "break" => Keyword::Break,
            "continue" => Keyword::Continue,
            "define" => Keyword::Define,
            "else" => Keyword::Else,
            "end" => Keyword::End,
            "if" => Keyword::If,
            "range" => Keyword::Range,
            "template" => Keyword::Template,
            "with" => Keyword::With,
            "nil" => return Self::Nil,
            "true" | "false" => return Self::Bool,
            _ => return Self::Identifier,
        };
        Self::Keyword(keyword)
    }
}

/// As Go quotes a word in its errors.
impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            TokenKind::End => f.write_str("EOF"),
            TokenKind::Keyword(_) | TokenKind::Dot | TokenKind::Nil => write!(f, "<{}>", self.text),
            _ if self.text.len() > 10 => {
                let short: String = self.text.chars().take(10).collect();
                write!(f, "{}...", super::quote::quoted(&short))
            }
            _ => f.write_str(&super::quote::quoted(self.text)),
        }
    }
}
