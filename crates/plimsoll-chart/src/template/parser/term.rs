//! Operands: a term and the fields behind it.

use super::Parser;
use crate::template::failure::ParseFailure;
use crate::template::number::number;
use crate::template::quote::{quoted, unquoted};
use crate::template::token::{Token, TokenKind};
use crate::template::tree::{Expression, ExpressionKind};
use crate::template::value::Text;
use std::sync::Arc;

impl<'t> Parser<'t> {
    /// A term, and fields that follow without a blank; `None` where no term stands.
    pub(super) fn operand(&mut self) -> Result<Option<Expression>, ParseFailure> {
        let Some(term) = self.term()? else {
            return Ok(None);
        };
        let next = self.peek();
        if next.kind != TokenKind::Field {
            return Ok(Some(term));
        }
        let mut fields = Vec::new();
        while self.peek().kind == TokenKind::Field {
            let field = self.next();
            fields.push(self.field_name(field));
        }
        let kind = match term.kind {
            ExpressionKind::Field(first) => ExpressionKind::Field(first.into_iter().chain(fields).collect()),
            ExpressionKind::Variable(name, first) => {
                ExpressionKind::Variable(name, first.into_iter().chain(fields).collect())
            }
            ExpressionKind::Bool(_)
            | ExpressionKind::Text { .. }
            | ExpressionKind::Number(_)
            | ExpressionKind::Nil
            | ExpressionKind::Dot => {
                return self.fail(format!("unexpected . after term {}", quoted(&term.to_string())));
            }
            _ => ExpressionKind::Chain(Box::new(term), fields.into()),
        };
        // Go names the whole by the place of the second field.
        Ok(Some(Expression { offset: next.start, kind }))
    }

    fn term(&mut self) -> Result<Option<Expression>, ParseFailure> {
        let token = self.next_word();
        let kind = match token.kind {
            TokenKind::Identifier => match self.library.get(token.text) {
                Some(function) => ExpressionKind::Function(function),
                None => return self.fail(format!("function {} not defined", quoted(token.text))),
            },
            TokenKind::Dot => ExpressionKind::Dot,
            TokenKind::Nil => ExpressionKind::Nil,
            TokenKind::Variable => self.variable(&token)?,
            TokenKind::Field => ExpressionKind::Field([self.field_name(token)].into()),
            TokenKind::Bool => ExpressionKind::Bool(token.text == "true"),
            TokenKind::CharacterConstant | TokenKind::Complex | TokenKind::Number => {
                match number(token.text, token.kind) {
                    Ok(number) => ExpressionKind::Number(Box::new(number)),
                    Err(cause) => return self.fail(cause),
                }
            }
            TokenKind::LeftParenthesis => {
                let end = TokenKind::RightParenthesis;
                let pipe = self.nested(|parser| parser.pipeline("parenthesized pipeline", end))?;
                return Ok(Some(Expression {
                    offset: pipe.offset,
                    kind: ExpressionKind::Pipe(Box::new(pipe)),
                }));
            }
            TokenKind::String | TokenKind::RawString => match unquoted(token.text) {
                Some(text) => ExpressionKind::Text { quoted: token.text.into(), text: Text::from(text) },
                None => return self.fail("invalid syntax"),
            },
            _ => {
                self.backup();
                return Ok(None);
            }
        };
        Ok(Some(Expression { offset: token.start, kind }))
    }

    fn variable(&mut self, token: &Token<'t>) -> Result<ExpressionKind, ParseFailure> {
        if self.scope.knows(token.text) {
            return Ok(ExpressionKind::Variable(self.name(token.text), Box::default()));
        }
        self.fail(format!("undefined variable {}", quoted(token.text)))
    }

    /// The name behind a dot.
    fn field_name(&mut self, token: Token<'t>) -> Arc<str> {
        self.name(token.text.strip_prefix('.').unwrap_or(token.text))
    }
}
