//! `semver` and `semverCompare`.

use super::semver::{Constraints, Version};
use crate::template::function::{Call, Function, Outcome, Parameter};
use crate::template::value::Value;
use std::rc::Rc;

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new("semver", &[Parameter::Text], semver),
    Function::new("semverCompare", &[Parameter::Text, Parameter::Text], semver_compare),
];

fn semver(call: &mut Call<'_>) -> Outcome {
    Ok(Value::Object(Rc::new(Version::parse(call.str(0))?)).into())
}

fn semver_compare(call: &mut Call<'_>) -> Outcome {
    let constraints = Constraints::parse(call.str(0))?;
    let version = Version::parse(call.str(1))?;
    Ok(constraints.hold(&version).into())
}
