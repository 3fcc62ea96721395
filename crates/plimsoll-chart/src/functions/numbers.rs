//! Arithmetic, and numbers out of anything, as `github.com/spf13/cast` v1.7.0 makes them.

use crate::template::format::text;
use crate::template::function::{Call, Function, Outcome, Parameter};
use crate::template::number::{parse_float, parse_whole};
use crate::template::value::{Element, Item, List, Value};

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new("int", &[Parameter::Any], int),
    Function::new("int64", &[Parameter::Any], int64),
    Function::new("float64", &[Parameter::Any], float64),
    Function::new("atoi", &[Parameter::Text], atoi),
    Function::new("toDecimal", &[Parameter::Any], to_decimal),
    Function::new("add1", &[Parameter::Any], |call| number(whole(call.value(0)).wrapping_add(1))),
    Function::open("add", &[], Parameter::Any, |call| number(wholes(call).fold(0, i64::wrapping_add))),
    Function::new("sub", &[Parameter::Any, Parameter::Any], |call| {
        number(whole(call.value(0)).wrapping_sub(whole(call.value(1))))
    }),
    Function::new("div", &[Parameter::Any, Parameter::Any], |call| divided(call, i64::checked_div)),
    Function::new("mod", &[Parameter::Any, Parameter::Any], |call| divided(call, i64::checked_rem)),
    Function::open("mul", &[Parameter::Any], Parameter::Any, |call| {
        number(wholes(call).fold(1, i64::wrapping_mul))
    }),
    Function::open("max", &[Parameter::Any], Parameter::Any, |call| {
        number(wholes(call).max().unwrap_or_default())
    }),
    Function::open("biggest", &[Parameter::Any], Parameter::Any, |call| {
        number(wholes(call).max().unwrap_or_default())
    }),
    Function::open("min", &[Parameter::Any], Parameter::Any, |call| {
        number(wholes(call).min().unwrap_or_default())
    }),
    Function::new("add1f", &[Parameter::Any], |call| float(decimal(real(call.value(0)) + 1.0))),
    Function::open("addf", &[], Parameter::Any, |call| float(decimal(reals(call).sum()))),
    Function::open("subf", &[Parameter::Any], Parameter::Any, |call| {
        folded(call, |left, right| left - right)
    }),
    Function::open("divf", &[Parameter::Any], Parameter::Any, |call| {
        folded(call, |left, right| left / right)
    }),
    Function::open("mulf", &[Parameter::Any], Parameter::Any, |call| {
        folded(call, |left, right| left * right)
    }),
    Function::open("maxf", &[Parameter::Any], Parameter::Any, |call| {
        float(reals(call).fold(f64::NEG_INFINITY, f64::max))
    }),
    Function::open("minf", &[Parameter::Any], Parameter::Any, |call| {
        float(reals(call).fold(f64::INFINITY, f64::min))
    }),
    Function::new("floor", &[Parameter::Any], |call| float(real(call.value(0)).floor())),
    Function::new("ceil", &[Parameter::Any], |call| float(real(call.value(0)).ceil())),
    Function::open("round", &[Parameter::Any, Parameter::Int], Parameter::Float, round),
    Function::new("until", &[Parameter::Int], |call| {
        let end = call.int(0);
        counted(call, 0, end, if end < 0 { -1 } else { 1 })
    }),
    Function::new("untilStep", &[Parameter::Int, Parameter::Int, Parameter::Int], |call| {
        let (start, end, step) = (call.int(0), call.int(1), call.int(2));
        counted(call, start, end, step)
    }),
    Function::open("seq", &[], Parameter::Int, seq),
];

fn number(value: i64) -> Outcome {
    Ok(Value::Int64(value).into())
}

fn float(value: f64) -> Outcome {
    Ok(Value::Float(value).into())
}

fn wholes<'c>(call: &'c Call<'_>) -> impl Iterator<Item = i64> + 'c {
    call.arguments.iter().map(|item| whole(&item.value))
}

fn reals<'c>(call: &'c Call<'_>) -> impl Iterator<Item = f64> + 'c {
    call.arguments.iter().map(|item| real(&item.value))
}

/// Sprig computes with decimals; what a binary number adds at its end is taken off.
fn decimal(value: f64) -> f64 {
    format!("{value:.15e}").parse().unwrap_or(value)
}

fn folded(call: &Call<'_>, operation: fn(f64, f64) -> f64) -> Outcome {
    float(decimal(reals(call).reduce(operation).unwrap_or_default()))
}

fn divided(call: &Call<'_>, operation: fn(i64, i64) -> Option<i64>) -> Outcome {
    match operation(whole(call.value(0)), whole(call.value(1))) {
        Some(value) => number(value),
        None => Err("runtime error: integer divide by zero".into()),
    }
}

/// A whole number of anything; 0 where there is none in it.
#[expect(clippy::cast_possible_truncation, reason = "Go cuts in the same way")]
pub(super) fn whole(value: &Value) -> i64 {
    match value {
        Value::Int(value) | Value::Int64(value) | Value::Duration(value) => *value,
        Value::Byte(value) => i64::from(*value),
        Value::Uint64(value) => i64::try_from(*value).unwrap_or(-1),
        Value::Float(value) => *value as i64,
        Value::Bool(value) => i64::from(*value),
        Value::Text(text) => whole_of_text(text),
        _ => 0,
    }
}

/// Zeros in front do not make a number octal, and a fraction of zeros is cut.
fn whole_of_text(text: &str) -> i64 {
    let bare = match text.find('.') {
        Some(at) if text.get(at + 1..).is_some_and(|rest| rest.bytes().all(|byte| byte == b'0')) => {
            text.get(..at).unwrap_or(text)
        }
        _ => text,
    };
    let (sign, digits) = match bare.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", bare),
    };
    let is_decimal = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let digits = if is_decimal { digits.trim_start_matches('0') } else { digits };
    let digits = if digits.is_empty() && is_decimal { "0" } else { digits };
    parse_whole(&format!("{sign}{digits}")).unwrap_or_default()
}

/// A number of anything; 0 where there is none in it.
#[expect(clippy::cast_precision_loss, reason = "Go converts in the same way")]
pub(super) fn real(value: &Value) -> f64 {
    match value {
        Value::Float(value) => *value,
        Value::Text(text) => parse_float(text).unwrap_or_default(),
        Value::Uint64(value) => *value as f64,
        other => whole(other) as f64,
    }
}

fn int(call: &mut Call<'_>) -> Outcome {
    Ok(Value::Int(whole(call.value(0))).into())
}

fn int64(call: &mut Call<'_>) -> Outcome {
    number(whole(call.value(0)))
}

fn float64(call: &mut Call<'_>) -> Outcome {
    float(real(call.value(0)))
}

fn atoi(call: &mut Call<'_>) -> Outcome {
    Ok(Value::Int(call.str(0).parse().unwrap_or_default()).into())
}

fn to_decimal(call: &mut Call<'_>) -> Outcome {
    number(i64::from_str_radix(&text(call.value(0)), 8).unwrap_or_default())
}

fn round(call: &mut Call<'_>) -> Outcome {
    let threshold = call.from(2).first().map_or(0.5, |item| real(&item.value));
    let power = 10f64.powi(i32::try_from(call.int(1)).unwrap_or_default());
    let scaled = power * real(call.value(0));
    let rounded = if scaled.fract() >= threshold { scaled.ceil() } else { scaled.floor() };
    float(rounded / power)
}

fn counted(call: &mut Call<'_>, start: i64, end: i64, step: i64) -> Outcome {
    let numbers = count(call, start, end, step)?;
    let items = numbers.into_iter().map(|number| Item::from(Value::Int(number)));
    Ok(List::new(Element::Int, items.collect()).into())
}

fn count(
    call: &mut Call<'_>,
    start: i64,
    end: i64,
    step: i64,
) -> Result<Vec<i64>, crate::template::failure::Failure> {
    let is_empty = if end < start { step >= 0 } else { step <= 0 };
    if is_empty {
        return Ok(Vec::new());
    }
    let length = end.abs_diff(start).div_ceil(step.unsigned_abs());
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    call.machine.meter.make(length.saturating_mul(size_of::<Item>()))?;
    Ok(std::iter::successors(Some(start), |number| number.checked_add(step)).take(length).collect())
}

fn seq(call: &mut Call<'_>) -> Outcome {
    let given: Vec<i64> = wholes(call).collect();
    let (start, step, end) = match given.as_slice() {
        [end] => (1, if *end < 1 { -1 } else { 1 }, *end),
        [start, end] => (*start, if end < start { -1 } else { 1 }, *end),
        [start, step, end] if end < start && *step > 0 => {
            let _ = (start, end);
            return Ok("".into());
        }
        [start, step, end] => (*start, *step, *end),
        _ => return Ok("".into()),
    };
    let beyond = end + if end < start { -1 } else { 1 };
    let numbers = count(call, start, beyond, step)?;
    let texts: Vec<String> = numbers.iter().map(i64::to_string).collect();
    Ok(texts.join(" ").into())
}
