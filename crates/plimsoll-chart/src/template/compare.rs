//! Equality and order: `eq`, `lt` and their kin, and Go's `reflect.DeepEqual`.

use super::format::text;
use super::value::{Item, Value};
use std::cmp::Ordering;

const BAD_TYPE: &str = "invalid type for comparison";

/// What of a value can be compared.
enum Basic<'v> {
    Bool(bool),
    Signed(i64),
    Unsigned(u64),
    Float(f64),
    Text(&'v [u8]),
    None,
}

fn basic(value: &Value) -> Basic<'_> {
    match value {
        Value::Bool(value) => Basic::Bool(*value),
        Value::Int(value) | Value::Int64(value) | Value::Duration(value) => Basic::Signed(*value),
        Value::Byte(value) => Basic::Unsigned(u64::from(*value)),
        Value::Uint64(value) => Basic::Unsigned(*value),
        Value::Float(value) => Basic::Float(*value),
        Value::Text(text) => Basic::Text(text.bytes()),
        _ => Basic::None,
    }
}

fn signed_with_unsigned(signed: i64, unsigned: u64) -> Ordering {
    u64::try_from(signed).map_or(Ordering::Less, |signed| signed.cmp(&unsigned))
}

/// Whether a value equals one of several.
pub(crate) fn equals_one(value: &Value, others: &[Item]) -> Result<bool, String> {
    if others.is_empty() {
        return Err("missing argument for comparison".to_owned());
    }
    for other in others {
        if equal(value, &other.value)? {
            return Ok(true);
        }
    }
    Ok(false)
}

pub(crate) fn equal(left: &Value, right: &Value) -> Result<bool, String> {
    Ok(match (basic(left), basic(right)) {
        (Basic::Bool(left), Basic::Bool(right)) => left == right,
        (Basic::Signed(left), Basic::Signed(right)) => left == right,
        (Basic::Unsigned(left), Basic::Unsigned(right)) => left == right,
        (Basic::Signed(signed), Basic::Unsigned(unsigned))
        | (Basic::Unsigned(unsigned), Basic::Signed(signed)) => {
            signed_with_unsigned(signed, unsigned) == Ordering::Equal
        }
        #[expect(clippy::float_cmp, reason = "Go compares so")]
        (Basic::Float(left), Basic::Float(right)) => left == right,
        (Basic::Text(left), Basic::Text(right)) => left == right,
        (Basic::None, Basic::None) => return equal_composites(left, right),
        _ if left.is_nil() || right.is_nil() => false,
        _ => return Err(incompatible(left, right)),
    })
}

fn incompatible(left: &Value, right: &Value) -> String {
    format!("incompatible types for comparison: {} and {}", left.type_name(), right.type_name())
}

fn equal_composites(left: &Value, right: &Value) -> Result<bool, String> {
    if left.is_nil() || right.is_nil() {
        return Ok(left.is_nil() == right.is_nil());
    }
    if left.kind() != right.kind() {
        let (first, second) = (text_of_reflection(left), text(right));
        let (first_type, second_type) = (left.type_name(), right.type_name());
        return Err(format!("non-comparable types {first}: {first_type}, {second_type}: {second}"));
    }
    match (left, right) {
        (Value::Object(left), Value::Object(right)) if left.length().is_none() => {
            Ok(left.type_name() == right.type_name() && left.print() == right.print())
        }
        _ => Err(format!("non-comparable type {}: {}", text_of_reflection(right), right.type_name())),
    }
}

/// What `%s` makes of a `reflect.Value` that holds a composite.
fn text_of_reflection(value: &Value) -> String {
    super::format::printf("%s", &[value.clone().into()])
}

/// Which of two comes first; an error where there is no order.
pub(crate) fn order(left: &Value, right: &Value) -> Result<Option<Ordering>, String> {
    Ok(match (basic(left), basic(right)) {
        (Basic::None, _) | (_, Basic::None) | (Basic::Bool(_), Basic::Bool(_)) => {
            return Err(BAD_TYPE.to_owned());
        }
        (Basic::Signed(left), Basic::Signed(right)) => Some(left.cmp(&right)),
        (Basic::Unsigned(left), Basic::Unsigned(right)) => Some(left.cmp(&right)),
        (Basic::Signed(signed), Basic::Unsigned(unsigned)) => Some(signed_with_unsigned(signed, unsigned)),
        (Basic::Unsigned(unsigned), Basic::Signed(signed)) => {
            Some(signed_with_unsigned(signed, unsigned).reverse())
        }
        (Basic::Float(left), Basic::Float(right)) => left.partial_cmp(&right),
        (Basic::Text(left), Basic::Text(right)) => Some(left.cmp(right)),
        _ => return Err(incompatible(left, right)),
    })
}

/// Equal in type and content, all the way down.
pub(crate) fn deep_equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        _ if left.is_nil() || right.is_nil() => left.is_nil() && right.is_nil(),
        _ if left.type_name() != right.type_name() => false,
        (Value::List(left), Value::List(right)) => {
            let pairs = left.items().iter().zip(right.items());
            left.items().len() == right.items().len()
                && pairs.into_iter().all(|(left, right)| deep_equal(&left.value, &right.value))
        }
        (Value::Map(left), Value::Map(right)) => {
            let (one, other) = (left.borrow(), right.borrow());
            left.is(right)
                || one.len() == other.len()
                    && one.iter().zip(other.iter()).all(|((one_key, one), (other_key, other))| {
                        one_key == other_key && deep_equal(&one.value, &other.value)
                    })
        }
        (Value::Object(left), Value::Object(right)) => left.print() == right.print(),
        _ => equal(left, right).unwrap_or(false),
    }
}
