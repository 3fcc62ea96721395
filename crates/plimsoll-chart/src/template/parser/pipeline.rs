//! Pipelines and commands.

use super::Parser;
use crate::template::failure::ParseFailure;
use crate::template::token::{Token, TokenKind};
use crate::template::tree::{Command, ExpressionKind, Pipe};

impl<'t> Parser<'t> {
    /// Declarations and commands up to a closing word, which is read.
    pub(super) fn pipeline(&mut self, context: &str, end: TokenKind) -> Result<Pipe, ParseFailure> {
        let offset = self.peek_word().start;
        let mut pipe = Pipe { offset, is_assignment: false, variables: Vec::new(), commands: Vec::new() };
        while self.declaration(&mut pipe, context)? {}
        loop {
            let token = self.next_word();
            match token.kind {
                kind if kind == end => {
                    self.check(&pipe, context)?;
                    return Ok(pipe);
                }
                TokenKind::Bool
                | TokenKind::CharacterConstant
                | TokenKind::Complex
                | TokenKind::Dot
                | TokenKind::Field
                | TokenKind::Identifier
                | TokenKind::Number
                | TokenKind::Nil
                | TokenKind::RawString
                | TokenKind::String
                | TokenKind::Variable
                | TokenKind::LeftParenthesis => {
                    self.backup();
                    let command = self.command()?;
                    pipe.commands.push(command);
                }
                _ => return self.unexpected(&token, context),
            }
        }
    }

    /// A variable with `:=`, `=` or `,` behind it; says whether another one follows.
    fn declaration(&mut self, pipe: &mut Pipe, context: &str) -> Result<bool, ParseFailure> {
        let variable = self.peek_word();
        if variable.kind != TokenKind::Variable {
            return Ok(false);
        }
        self.next();
        let behind = self.peek();
        let next = self.peek_word();
        match next.kind {
            TokenKind::Assign | TokenKind::Declare => {
                pipe.is_assignment = next.kind == TokenKind::Assign;
                self.next_word();
                self.declare(pipe, &variable);
                Ok(false)
            }
            TokenKind::Character if next.text == "," => {
                self.next_word();
                self.declare(pipe, &variable);
                self.second_variable(pipe, context)
            }
            _ if behind.kind == TokenKind::Space => {
                self.backup_three(variable, behind);
                Ok(false)
            }
            _ => {
                self.backup_two(variable);
                Ok(false)
            }
        }
    }

    fn declare(&mut self, pipe: &mut Pipe, variable: &Token<'t>) {
        pipe.variables.push(variable.text.as_ref().into());
        self.scope.variables.push(variable.text.as_ref().into());
    }

    fn second_variable(&mut self, pipe: &Pipe, context: &str) -> Result<bool, ParseFailure> {
        if context != "range" || pipe.variables.len() > 1 {
            return self.fail(format!("too many declarations in {context}"));
        }
        match self.peek_word().kind {
            TokenKind::Variable | TokenKind::RightDelimiter | TokenKind::RightParenthesis => Ok(true),
            _ => self.fail("range can only initialize variables"),
        }
    }

    fn check(&self, pipe: &Pipe, context: &str) -> Result<(), ParseFailure> {
        if pipe.commands.is_empty() {
            return self.fail(format!("missing value for {context}"));
        }
        let is_value = |command: &Command| {
            matches!(
                command.first.kind,
                ExpressionKind::Bool(_)
                    | ExpressionKind::Dot
                    | ExpressionKind::Nil
                    | ExpressionKind::Number(_)
                    | ExpressionKind::Text { .. }
            )
        };
        match pipe.commands.iter().skip(1).position(is_value) {
            Some(index) => self.fail(format!("non executable command in pipeline stage {}", index + 2)),
            None => Ok(()),
        }
    }

    /// Operands up to a `|`, which is read, or the end of the pipeline.
    fn command(&mut self) -> Result<Command, ParseFailure> {
        let offset = self.peek_word().start;
        let mut operands = Vec::new();
        loop {
            self.peek_word();
            operands.extend(self.operand()?);
            let token = self.next();
            match token.kind {
                TokenKind::Space => {}
                TokenKind::RightDelimiter | TokenKind::RightParenthesis => {
                    self.backup();
                    break;
                }
                TokenKind::Pipe => break,
                _ => return self.unexpected(&token, "operand"),
            }
        }
        let mut operands = operands.into_iter();
        match operands.next() {
            Some(first) => Ok(Command { offset, first, arguments: operands.collect() }),
            None => self.fail("empty command"),
        }
    }
}
