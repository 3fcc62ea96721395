//! Pipelines, commands and expressions.

use super::field::Fields;
use super::run::{At, Run};
use super::{Given, Machine};
use crate::template::failure::Failure;
use crate::template::tree::{Command, Expression, ExpressionKind, Number, Pipe};
use crate::template::value::{Item, Value};

impl Machine {
    /// The value of a pipeline, which is declared or assigned where it says so.
    pub(super) fn pipe<'t>(&mut self, run: &mut Run<'t>, pipe: &'t Pipe) -> Result<Item, Failure> {
        run.at(At::Pipe(pipe));
        let mut last = None;
        for command in &pipe.commands {
            last = Some(self.command(run, command, last)?.settled());
        }
        let value = last.unwrap_or_else(|| Value::Invalid.into());
        for name in &pipe.variables {
            if pipe.is_assignment {
                run.assign(name, value.clone())?;
            } else {
                run.declare(name, value.clone());
            }
        }
        Ok(value)
    }

    fn command<'t>(
        &mut self,
        run: &mut Run<'t>,
        command: &'t Command,
        last: Option<Item>,
    ) -> Result<Item, Failure> {
        let first = &command.first;
        let given = Given { arguments: &command.arguments, last };
        match &first.kind {
            ExpressionKind::Function(function) => {
                run.at(At::Expression(first));
                self.call(run, At::Command(command), function, given)
            }
            ExpressionKind::Pipe(pipe) => {
                not_a_function(run, first, &given)?;
                self.pipe(run, pipe)
            }
            _ => self.operand(run, first, given),
        }
    }

    /// An expression that no type is asked of.
    pub(super) fn expression<'t>(
        &mut self,
        run: &mut Run<'t>,
        expression: &'t Expression,
    ) -> Result<Item, Failure> {
        run.at(At::Expression(expression));
        match &expression.kind {
            ExpressionKind::Function(function) => {
                self.call(run, At::Expression(expression), function, Given::NOTHING)
            }
            ExpressionKind::Pipe(pipe) => self.pipe(run, pipe),
            _ => self.operand(run, expression, Given::NOTHING),
        }
    }

    /// Anything but a function or a pipeline.
    fn operand<'t>(
        &mut self,
        run: &mut Run<'t>,
        expression: &'t Expression,
        given: Given<'t>,
    ) -> Result<Item, Failure> {
        run.at(At::Expression(expression));
        let (receiver, names) = match &expression.kind {
            ExpressionKind::Field(names) => (run.dot(), names),
            ExpressionKind::Variable(name, names) if names.is_empty() => {
                let value = run.variable(name)?;
                not_a_function(run, expression, &given)?;
                return Ok(value);
            }
            ExpressionKind::Variable(name, names) => (run.variable(name)?, names),
            ExpressionKind::Chain(inner, names) => {
                if matches!(inner.kind, ExpressionKind::Nil) {
                    return Err(run.fail(format!("indirection through explicit nil in {expression}")));
                }
                (self.expression(run, inner)?, names)
            }
            _ => {
                not_a_function(run, expression, &given)?;
                return literal(run, expression);
            }
        };
        self.fields(run, receiver, Fields { expression, names }, given)
    }
}

fn not_a_function(run: &Run<'_>, first: &Expression, given: &Given<'_>) -> Result<(), Failure> {
    if given.is_nothing() {
        return Ok(());
    }
    Err(run.fail(format!("can't give argument to non-function {first}")))
}

fn literal(run: &Run<'_>, expression: &Expression) -> Result<Item, Failure> {
    match &expression.kind {
        ExpressionKind::Bool(value) => Ok(Value::Bool(*value).into()),
        ExpressionKind::Dot => Ok(run.dot()),
        ExpressionKind::Nil => Err(run.fail("nil is not a command")),
        ExpressionKind::Number(number) => constant(run, number),
        ExpressionKind::Text { text, .. } => Ok(Value::Text(text.clone()).into()),
        _ => Err(run.fail(format!("can't evaluate command {expression}"))),
    }
}

/// A number where no type is asked for.
pub(super) fn constant(run: &Run<'_>, number: &Number) -> Result<Item, Failure> {
    let text = &*number.text;
    let is_hexadecimal =
        text.len() > 2 && (text.starts_with("0x") || text.starts_with("0X")) && !text.contains(['p', 'P']);
    let is_float = !is_hexadecimal && !text.starts_with('\'') && text.contains(['.', 'e', 'E', 'p', 'P']);
    match (number.float, number.whole) {
        (Some(float), _) if is_float => Ok(Value::Float(float).into()),
        (_, Some(whole)) => Ok(Value::Int(whole).into()),
        _ => Err(run.fail(format!("{text} overflows int"))),
    }
}
