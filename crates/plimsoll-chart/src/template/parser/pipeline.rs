//! Pipelines and commands.

use super::Parser;
use crate::template::failure::ParseFailure;
use crate::template::token::{Token, TokenKind};
use crate::template::tree::{Command, ExpressionKind, Pipe};
use std::sync::Arc;

impl<'t> Parser<'t> {
    /// Declarations and commands up to a closing word, which is read.
    pub(super) fn pipeline(&mut self, context: &str, end: TokenKind) -> Result<Pipe, ParseFailure> {
        let offset = self.peek_word().start;
        let (mut variables, mut commands) = (Vec::new(), Vec::with_capacity(1));
        let mut is_assignment = false;
        while self.declaration((&mut variables, &mut is_assignment), context)? {}
        loop {
            let token = self.next_word();
            match token.kind {
                kind if kind == end => {
                    self.check(&commands, context)?;
                    let (variables, commands) = (variables.into(), commands.into());
                    return Ok(Pipe { offset, is_assignment, variables, commands });
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
                    commands.push(self.command()?);
                }
                _ => return self.unexpected(&token, context),
            }
        }
    }

    /// A variable with `:=`, `=` or `,` behind it; says whether another one follows.
    fn declaration(
        &mut self,
        (variables, is_assignment): (&mut Vec<Arc<str>>, &mut bool),
        context: &str,
    ) -> Result<bool, ParseFailure> {
        let variable = self.peek_word();
        if variable.kind != TokenKind::Variable {
            return Ok(false);
        }
        self.next();
        let behind = self.peek();
        let next = self.peek_word();
        match next.kind {
            TokenKind::Assign | TokenKind::Declare => {
                *is_assignment = next.kind == TokenKind::Assign;
                self.next_word();
                self.declare(variables, &variable);
                Ok(false)
            }
            TokenKind::Character if next.text == "," => {
                self.next_word();
                self.declare(variables, &variable);
                self.second_variable(variables.len(), context)
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

    fn declare(&mut self, variables: &mut Vec<Arc<str>>, variable: &Token<'t>) {
        let name = self.name(variable.text);
        variables.push(Arc::clone(&name));
        self.scope.variables.push(name);
    }

    fn second_variable(&mut self, declared: usize, context: &str) -> Result<bool, ParseFailure> {
        if context != "range" || declared > 1 {
            return self.fail(format!("too many declarations in {context}"));
        }
        match self.peek_word().kind {
            TokenKind::Variable | TokenKind::RightDelimiter | TokenKind::RightParenthesis => Ok(true),
            _ => self.fail("range can only initialize variables"),
        }
    }

    fn check(&self, commands: &[Command], context: &str) -> Result<(), ParseFailure> {
        if commands.is_empty() {
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
        match commands.iter().skip(1).position(is_value) {
            Some(index) => self.fail(format!("non executable command in pipeline stage {}", index + 2)),
            None => Ok(()),
        }
    }

    /// Operands up to a `|`, which is read, or the end of the pipeline.
    fn command(&mut self) -> Result<Command, ParseFailure> {
        let offset = self.peek_word().start;
        let (mut first, mut arguments) = (None, Vec::new());
        loop {
            self.peek_word();
            match self.operand()? {
                operand if first.is_none() => first = operand,
                operand => arguments.extend(operand),
            }
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
        match first {
            Some(first) => Ok(Command { offset, first, arguments: arguments.into() }),
            None => self.fail("empty command"),
        }
    }
}
