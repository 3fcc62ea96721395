//! Calls: arguments are evaluated for the type that is asked of them, and checked as Go checks them.

use super::evaluate::constant;
use super::run::{At, Run};
use super::{Given, Machine};
use crate::template::builtins::{AND, OR};
use crate::template::failure::Failure;
use crate::template::function::{Call, Function, Parameter};
use crate::template::origin::ValuePlace;
use crate::template::tree::{Expression, ExpressionKind};
use crate::template::value::{Item, Value};
use crate::template::weight::{is_walked, weigh};

impl Machine {
    pub(super) fn call<'t>(
        &mut self,
        run: &mut Run<'t>,
        at: At<'t>,
        function: &'static Function,
        given: Given<'t>,
    ) -> Result<Item, Failure> {
        self.call_method(run, at, function, given, None)
    }

    /// Calls a function, or a method of an object.
    #[expect(clippy::too_many_arguments, reason = "what Go's evalCall is given")]
    pub(super) fn call_method<'t>(
        &mut self,
        run: &mut Run<'t>,
        at: At<'t>,
        function: &'static Function,
        given: Given<'t>,
        receiver: Option<&Value>,
    ) -> Result<Item, Failure> {
        check_count(run, function, &given)?;
        if function.name == AND || function.name == OR {
            return self.logic(run, function, given);
        }
        let arguments = self.arguments(run, function, given)?;
        let place = arguments.last().map_or(ValuePlace::NONE, |item| item.place);
        let origin = run.origin(at.offset(), place);
        self.beacon.pass(run.file(), at.offset());
        self.afford(function, &arguments).map_err(|failure| {
            run.at(at);
            run.fail_with(failure)
        })?;
        let mut call = Call { machine: self, arguments: &arguments, receiver, origin };
        match (function.body)(&mut call) {
            Ok(item) => Ok(Item { place: item.place.or(place), ..item }),
            Err(failure) => {
                run.at(at);
                Err(run.fail_within(failure, &format!("error calling {}: ", function.name)))
            }
        }
    }

    /// Whether there is not too much for a function to walk through.
    fn afford(&mut self, function: &Function, arguments: &[Item]) -> Result<(), Failure> {
        if is_walked(function.name) { weigh(arguments, &mut self.meter) } else { Ok(()) }
    }

    fn arguments<'t>(
        &mut self,
        run: &mut Run<'t>,
        function: &Function,
        given: Given<'t>,
    ) -> Result<Vec<Item>, Failure> {
        let mut arguments = Vec::with_capacity(given.arguments.len() + 1);
        for (index, argument) in given.arguments.iter().enumerate() {
            arguments.push(self.argument(run, function.parameter(index), argument)?);
        }
        if let Some(last) = given.last {
            arguments.push(checked(run, last, function.parameter(arguments.len()))?);
        }
        Ok(arguments)
    }

    /// `and` and `or` evaluate no more than they need.
    fn logic<'t>(
        &mut self,
        run: &mut Run<'t>,
        function: &'static Function,
        given: Given<'t>,
    ) -> Result<Item, Failure> {
        let mut value = Value::Invalid.into();
        for argument in given.arguments {
            value = self.argument(run, Parameter::Raw, argument)?;
            if value.value.is_true() == (function.name == OR) {
                return Ok(value);
            }
        }
        Ok(given.last.unwrap_or(value))
    }

    fn argument<'t>(
        &mut self,
        run: &mut Run<'t>,
        parameter: Parameter,
        expression: &'t Expression,
    ) -> Result<Item, Failure> {
        run.at(At::Expression(expression));
        match &expression.kind {
            ExpressionKind::Nil if parameter == Parameter::Raw => Ok(Value::Invalid.into()),
            ExpressionKind::Nil if parameter.takes_nil() => Ok(Value::Nil.into()),
            ExpressionKind::Nil => Err(run.fail(format!("cannot assign nil to {}", parameter.name()))),
            ExpressionKind::Bool(_) | ExpressionKind::Number(_) | ExpressionKind::Text { .. } => {
                literal(run, parameter, expression)
            }
            _ => {
                let item = self.expression(run, expression)?;
                checked(run, item, parameter)
            }
        }
    }
}

impl Function {
    /// The type of the argument at an index.
    fn parameter(&self, index: usize) -> Parameter {
        self.parameters.get(index).copied().or(self.rest).unwrap_or(Parameter::Any)
    }
}

fn check_count(run: &Run<'_>, function: &Function, given: &Given<'_>) -> Result<(), Failure> {
    let written = given.arguments.len();
    let given = written + usize::from(given.last.is_some());
    let wanted = function.parameters.len();
    let name = function.name;
    if function.rest.is_some() {
        if given < wanted {
            let cause = format!("wrong number of args for {name}: want at least {wanted} got {written}");
            return Err(run.fail(cause));
        }
    } else if given != wanted {
        return Err(run.fail(format!("wrong number of args for {name}: want {wanted} got {given}")));
    }
    Ok(())
}

/// A value that was computed, as an argument of a type.
fn checked(run: &Run<'_>, item: Item, parameter: Parameter) -> Result<Item, Failure> {
    match &item.value {
        _ if parameter == Parameter::Raw => Ok(item),
        Value::Invalid if parameter.takes_nil() => Ok(Item { value: Value::Nil, ..item }),
        Value::Invalid => Err(run.fail(format!("invalid value; expected {}", parameter.name()))),
        value if parameter.takes(value) => Ok(item),
        value => {
            let found = if matches!(value, Value::Nil) { "interface {}" } else { value.type_name() };
            let expected = parameter.name();
            Err(run.fail(format!("wrong type for value; expected {expected}; got {found}")))
        }
    }
}

/// A constant as an argument of a type.
fn literal(run: &Run<'_>, parameter: Parameter, expression: &Expression) -> Result<Item, Failure> {
    let value = match (parameter, &expression.kind) {
        (Parameter::Any | Parameter::Raw | Parameter::Bool, ExpressionKind::Bool(value)) => {
            Value::Bool(*value)
        }
        (Parameter::Any | Parameter::Raw | Parameter::Text, ExpressionKind::Text { text, .. }) => {
            Value::Text(text.clone())
        }
        (Parameter::Any | Parameter::Raw, ExpressionKind::Number(number)) => return constant(run, number),
        (Parameter::Int, ExpressionKind::Number(number)) if number.whole.is_some() => {
            Value::Int(number.whole.unwrap_or_default())
        }
        (Parameter::Uint32, ExpressionKind::Number(number)) if number.unsigned.is_some() => {
            Value::Uint64(number.unsigned.unwrap_or_default())
        }
        (Parameter::Float, ExpressionKind::Number(number)) if number.float.is_some() => {
            Value::Float(number.float.unwrap_or_default())
        }
        _ => {
            let wanted = match parameter {
                Parameter::Bool => "expected bool",
                Parameter::Text => "expected string",
                Parameter::Int => "expected integer",
                Parameter::Uint32 => "expected unsigned integer",
                Parameter::Float => "expected float",
                _ => {
                    let name = parameter.name();
                    return Err(run.fail(format!("can't handle {expression} for arg of type {name}")));
                }
            };
            return Err(run.fail(format!("{wanted}; found {expression}")));
        }
    };
    Ok(value.into())
}
