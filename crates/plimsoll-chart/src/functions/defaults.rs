//! Choosing a value: `default`, `coalesce`, `ternary` and their kin.

use crate::template::function::{Call, Function, Outcome, Parameter};
use crate::template::value::Value;

pub(super) const FUNCTIONS: &[Function] = &[
    Function::open("default", &[Parameter::Any], Parameter::Any, default),
    Function::new("empty", &[Parameter::Any], empty),
    Function::open("coalesce", &[], Parameter::Any, coalesce),
    Function::open("all", &[], Parameter::Any, all),
    Function::open("any", &[], Parameter::Any, any),
    Function::new("ternary", &[Parameter::Any, Parameter::Any, Parameter::Bool], ternary),
];

/// The place of the value stays known even where the default stands in for it: that is the line to change.
fn default(call: &mut Call<'_>) -> Outcome {
    let given = call.item(1);
    Ok(if given.value.is_empty() { call.item(0) } else { given })
}

fn empty(call: &mut Call<'_>) -> Outcome {
    Ok(call.value(0).is_empty().into())
}

fn coalesce(call: &mut Call<'_>) -> Outcome {
    let found = call.arguments.iter().find(|item| !item.value.is_empty());
    Ok(found.cloned().unwrap_or_else(|| Value::Nil.into()))
}

fn all(call: &mut Call<'_>) -> Outcome {
    Ok(call.arguments.iter().all(|item| !item.value.is_empty()).into())
}

fn any(call: &mut Call<'_>) -> Outcome {
    Ok(call.arguments.iter().any(|item| !item.value.is_empty()).into())
}

fn ternary(call: &mut Call<'_>) -> Outcome {
    Ok(call.item(usize::from(!call.bool(2))))
}
