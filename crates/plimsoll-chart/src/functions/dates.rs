//! Dates and spans of time. A chart is rendered at one moment, in UTC.

use super::numbers::{real, whole};
use crate::clock::{Time, parsed};
use crate::template::duration;
use crate::template::function::{Call, Function, Outcome, Parameter};
use crate::template::value::Value;
use std::rc::Rc;

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new("now", &[], |call| time(call.machine.now)),
    Function::new("date", &[Parameter::Text, Parameter::Any], |call| formatted(call, 1, call.str(0))),
    Function::new("dateInZone", &[Parameter::Text, Parameter::Any, Parameter::Text], |call| {
        formatted(call, 1, call.str(0))
    }),
    Function::new("date_in_zone", &[Parameter::Text, Parameter::Any, Parameter::Text], |call| {
        formatted(call, 1, call.str(0))
    }),
    Function::new("htmlDate", &[Parameter::Any], |call| formatted(call, 0, "2006-01-02")),
    Function::new("htmlDateInZone", &[Parameter::Any, Parameter::Text], |call| {
        formatted(call, 0, "2006-01-02")
    }),
    Function::new("dateModify", &[Parameter::Text, Parameter::Time], date_modify),
    Function::new("date_modify", &[Parameter::Text, Parameter::Time], date_modify),
    Function::new("mustDateModify", &[Parameter::Text, Parameter::Time], date_modify),
    Function::new("must_date_modify", &[Parameter::Text, Parameter::Time], date_modify),
    Function::new("toDate", &[Parameter::Text, Parameter::Text], to_date),
    Function::new("mustToDate", &[Parameter::Text, Parameter::Text], to_date),
    Function::new("unixEpoch", &[Parameter::Time], |call| Ok(given(call, 0).seconds.to_string().into())),
    Function::new("ago", &[Parameter::Any], ago),
    Function::new("duration", &[Parameter::Any], |call| {
        let seconds = match call.value(0) {
            Value::Text(text) => text.parse().unwrap_or_default(),
            Value::Int64(seconds) => *seconds,
            _ => 0,
        };
        Ok(duration::shown(seconds.saturating_mul(SECOND)).into())
    }),
    Function::new("durationRound", &[Parameter::Any], duration_round),
    Function::new("mustToDuration", &[Parameter::Any], |call| match span(call.value(0)) {
        Some(span) => Ok(Value::Duration(span).into()),
        None => {
            Err(format!("could not parse duration {}", crate::template::format::text(call.value(0))).into())
        }
    }),
    Function::new("durationSeconds", &[Parameter::Any], |call| fraction(call, SECOND)),
    Function::new("durationMinutes", &[Parameter::Any], |call| fraction(call, 60 * SECOND)),
    Function::new("durationHours", &[Parameter::Any], |call| fraction(call, 3_600 * SECOND)),
    Function::new("durationDays", &[Parameter::Any], |call| fraction(call, 24 * 3_600 * SECOND)),
    Function::new("durationWeeks", &[Parameter::Any], |call| fraction(call, 7 * 24 * 3_600 * SECOND)),
    Function::new("durationMilliseconds", &[Parameter::Any], |call| count(call, 1_000_000)),
    Function::new("durationMicroseconds", &[Parameter::Any], |call| count(call, 1_000)),
    Function::new("durationNanoseconds", &[Parameter::Any], |call| count(call, 1)),
    Function::new("durationTruncateTo", &[Parameter::Any, Parameter::Any], |call| {
        let (whole, unit) = (span(call.value(0)).unwrap_or(0), span(call.value(1)).unwrap_or(0));
        Ok(Value::Duration(if unit > 0 { whole - whole % unit } else { whole }).into())
    }),
    Function::new("durationRoundTo", &[Parameter::Any, Parameter::Any], |call| {
        let (whole, unit) = (span(call.value(0)).unwrap_or(0), span(call.value(1)).unwrap_or(0));
        Ok(Value::Duration(if unit > 0 { rounded(whole, unit) } else { whole }).into())
    }),
];

const SECOND: i64 = 1_000_000_000;

fn time(time: Time) -> Outcome {
    Ok(Value::Object(Rc::new(time)).into())
}

/// A time given as such, or as seconds since 1970; anything else is now.
fn given(call: &Call<'_>, index: usize) -> Time {
    match call.value(index) {
        Value::Int(seconds) | Value::Int64(seconds) => Time { seconds: *seconds },
        Value::Object(object) => object.as_any().downcast_ref().copied().unwrap_or(call.machine.now),
        _ => call.machine.now,
    }
}

fn formatted(call: &Call<'_>, index: usize, layout: &str) -> Outcome {
    Ok(given(call, index).format(layout).into())
}

fn date_modify(call: &mut Call<'_>) -> Outcome {
    let moment = given(call, 1);
    let span = duration::parse(call.str(0)).unwrap_or_default();
    time(Time { seconds: moment.seconds.saturating_add(span.div_euclid(SECOND)) })
}

fn to_date(call: &mut Call<'_>) -> Outcome {
    time(parsed(call.str(0), call.str(1)).unwrap_or(Time::ZERO))
}

fn ago(call: &mut Call<'_>) -> Outcome {
    let passed = call.machine.now.seconds.saturating_sub(given(call, 0).seconds);
    Ok(duration::shown(passed.saturating_mul(SECOND)).into())
}

/// Helm 4: a span as written, or a number of seconds.
#[expect(clippy::cast_possible_truncation, reason = "a float beyond the bounds is cut as Go cuts it")]
fn span(value: &Value) -> Option<i64> {
    match value {
        Value::Duration(span) => Some(*span),
        Value::Text(text) => duration::parse(text.trim())
            .or_else(|| text.trim().parse::<f64>().ok().map(|seconds| (seconds * 1e9) as i64)),
        Value::Float(seconds) => Some((seconds * 1e9) as i64),
        Value::Int(_) | Value::Int64(_) | Value::Uint64(_) => whole(value).checked_mul(SECOND),
        _ => None,
    }
}

fn fraction(call: &Call<'_>, unit: i64) -> Outcome {
    let span = real(&Value::Int64(span(call.value(0)).unwrap_or_default()));
    Ok(Value::Float(span / real(&Value::Int64(unit))).into())
}

fn count(call: &Call<'_>, unit: i64) -> Outcome {
    Ok(Value::Int64(span(call.value(0)).unwrap_or_default() / unit).into())
}

fn rounded(whole: i64, unit: i64) -> i64 {
    let rest = whole.rem_euclid(unit);
    let lower = whole - rest;
    if rest >= unit - rest { lower.saturating_add(unit) } else { lower }
}

/// Units of time in seconds, the longest first.
const UNITS: [(u64, &str); 6] =
    [(31_536_000, "y"), (2_592_000, "mo"), (86_400, "d"), (3_600, "h"), (60, "m"), (1, "s")];

fn duration_round(call: &mut Call<'_>) -> Outcome {
    let span = match call.value(0) {
        Value::Text(text) => duration::parse(text).unwrap_or_default(),
        Value::Int64(span) => *span,
        Value::Object(_) => {
            call.machine.now.seconds.saturating_sub(given(call, 0).seconds).saturating_mul(SECOND)
        }
        _ => 0,
    };
    let seconds = span.unsigned_abs() / SECOND.unsigned_abs();
    let text = UNITS.iter().find(|(unit, _)| seconds > *unit || seconds == *unit && *unit == 1);
    Ok(text.map_or_else(|| "0s".to_owned(), |(unit, name)| format!("{}{name}", seconds / unit)).into())
}
