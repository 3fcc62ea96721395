//! Fields and methods behind a dot.

use super::run::{At, Run};
use super::{Given, Machine};
use crate::template::failure::Failure;
use crate::template::tree::Expression;
use crate::template::value::{Item, MapKind, Member, Value};
use std::sync::Arc;

/// Names behind dots, and the expression that an error would name.
#[derive(Clone, Copy)]
pub(super) struct Fields<'t> {
    pub(super) expression: &'t Expression,
    pub(super) names: &'t [Arc<str>],
}

impl Machine {
    /// Field after field; only the last may be a method that is given arguments.
    pub(super) fn fields<'t>(
        &mut self,
        run: &mut Run<'t>,
        receiver: Item,
        fields: Fields<'t>,
        given: Given<'t>,
    ) -> Result<Item, Failure> {
        let Some((last, before)) = fields.names.split_last() else {
            return Ok(receiver);
        };
        let mut receiver = receiver;
        for name in before {
            let field = Fields { names: std::slice::from_ref(name), ..fields };
            receiver = self.field(run, &receiver, field, Given::NOTHING)?;
        }
        let field = Fields { names: std::slice::from_ref(last), ..fields };
        self.field(run, &receiver, field, given)
    }

    /// The first of the names.
    fn field<'t>(
        &mut self,
        run: &mut Run<'t>,
        receiver: &Item,
        fields: Fields<'t>,
        given: Given<'t>,
    ) -> Result<Item, Failure> {
        let name = fields.names.first().map_or("", |name| name);
        match &receiver.value {
            Value::Invalid => Ok(Value::Invalid.into()),
            Value::Nil => Err(run.fail(format!("nil pointer evaluating interface {{}}.{name}"))),
            // The one method of values that charts call.
            Value::Map(map) if name == "AsMap" && map.kind().is_values() && given.is_nothing() => {
                Ok(Value::from(map.with_kind(MapKind::Any)).into())
            }
            Value::Map(map) => {
                if !given.is_nothing() {
                    return Err(run.fail(format!("{name} is not a method but has arguments")));
                }
                let is_interface = map.kind() != MapKind::Texts;
                let found = map.get(name).unwrap_or_else(|| Item::new(map.zero(), receiver.place));
                Ok(Item { is_interface, ..found })
            }
            Value::Object(object) => match object.member(name) {
                Some(Member::Method(method)) => {
                    let at = At::Expression(fields.expression);
                    self.call_method(run, at, method, given, Some(&receiver.value))
                }
                Some(Member::Field(_)) if !given.is_nothing() => {
                    Err(run.fail(format!("{name} has arguments but cannot be invoked as function")))
                }
                Some(Member::Field(item)) => Ok(item),
                None => Err(no_field(run, receiver, name)),
            },
            _ => Err(no_field(run, receiver, name)),
        }
    }
}

fn no_field(run: &Run<'_>, receiver: &Item, name: &str) -> Failure {
    let type_name = if receiver.is_interface { "interface {}" } else { receiver.value.type_name() };
    run.fail(format!("can't evaluate field {name} in type {type_name}"))
}
