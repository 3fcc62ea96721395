//! Questions about types.

use crate::template::compare::deep_equal;
use crate::template::function::{Call, Function, Outcome, Parameter};

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new("typeOf", &[Parameter::Any], |call| Ok(call.value(0).type_name().into())),
    Function::new("typeIs", &[Parameter::Text, Parameter::Any], |call| {
        Ok((call.str(0) == call.value(1).type_name()).into())
    }),
    Function::new("typeIsLike", &[Parameter::Text, Parameter::Any], type_is_like),
    Function::new("kindOf", &[Parameter::Any], |call| Ok(call.value(0).kind().name().into())),
    Function::new("kindIs", &[Parameter::Text, Parameter::Any], |call| {
        Ok((call.str(0) == call.value(1).kind().name()).into())
    }),
    Function::new("deepEqual", &[Parameter::Any, Parameter::Any], |call| {
        Ok(deep_equal(call.value(0), call.value(1)).into())
    }),
];

fn type_is_like(call: &mut Call<'_>) -> Outcome {
    let name = call.value(1).type_name();
    Ok((call.str(0) == name || name.strip_prefix('*') == Some(call.str(0))).into())
}
