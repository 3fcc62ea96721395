//! Regular expressions with Go's syntax.

mod syntax;

use crate::template::failure::Failure;
use crate::template::function::{Call, Function, Outcome, Parameter};
use crate::template::value::{List, Value};
use regex::{NoExpand, Regex, RegexBuilder};
use std::cell::RefCell;
use std::collections::HashMap;
use syntax::translated;

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new("regexMatch", &[Parameter::Text, Parameter::Text], |call| match pattern(call.str(0)) {
        Ok(pattern) => Ok(pattern.is_match(call.str(1)).into()),
        Err(failure) if failure.is_limit() => Err(failure),
        Err(_) => Ok(false.into()),
    }),
    Function::new("mustRegexMatch", &[Parameter::Text, Parameter::Text], |call| {
        Ok(pattern(call.str(0))?.is_match(call.str(1)).into())
    }),
    Function::new("regexFind", &[Parameter::Text, Parameter::Text], find),
    Function::new("mustRegexFind", &[Parameter::Text, Parameter::Text], find),
    Function::new("regexFindAll", &[Parameter::Text, Parameter::Text, Parameter::Int], find_all),
    Function::new("mustRegexFindAll", &[Parameter::Text, Parameter::Text, Parameter::Int], find_all),
    Function::new("regexReplaceAll", &[Parameter::Text, Parameter::Text, Parameter::Text], replace_all),
    Function::new("mustRegexReplaceAll", &[Parameter::Text, Parameter::Text, Parameter::Text], replace_all),
    Function::new(
        "regexReplaceAllLiteral",
        &[Parameter::Text, Parameter::Text, Parameter::Text],
        replace_literal,
    ),
    Function::new(
        "mustRegexReplaceAllLiteral",
        &[Parameter::Text, Parameter::Text, Parameter::Text],
        replace_literal,
    ),
    Function::new("regexSplit", &[Parameter::Text, Parameter::Text, Parameter::Int], split),
    Function::new("mustRegexSplit", &[Parameter::Text, Parameter::Text, Parameter::Int], split),
    Function::new("regexQuoteMeta", &[Parameter::Text], quote_meta),
];

/// How large a compiled pattern may be.
const MAX_PATTERN_BYTES: usize = 4 << 20;

fn pattern(text: &str) -> Result<Regex, Failure> {
    thread_local! {
        static KNOWN: RefCell<HashMap<String, Regex>> = RefCell::default();
    }
    if let Some(known) = KNOWN.with_borrow(|known| known.get(text).cloned()) {
        return Ok(known);
    }
    let compiled = RegexBuilder::new(&translated(text)).size_limit(MAX_PATTERN_BYTES).build();
    let pattern = compiled.map_err(|error| {
        if matches!(error, regex::Error::CompiledTooBig(_)) {
            let limit = MAX_PATTERN_BYTES >> 20;
            return Failure::limit(format!("a pattern takes more than {limit} MiB: `{text}`"));
        }
        let last = error.to_string();
        let cause = last.lines().last().unwrap_or_default().trim_start_matches("error: ");
        Failure::from(format!("error parsing regexp: {cause}: `{text}`"))
    })?;
    KNOWN.with_borrow_mut(|known| known.insert(text.to_owned(), pattern.clone()));
    Ok(pattern)
}

fn find(call: &mut Call<'_>) -> Outcome {
    let found = pattern(call.str(0))?.find(call.str(1)).map_or("", |found| found.as_str());
    Ok(Value::Text(call.text(1).part_of(found)).into())
}

fn find_all(call: &mut Call<'_>) -> Outcome {
    let most = usize::try_from(call.int(2)).unwrap_or(usize::MAX);
    let pattern = pattern(call.str(0))?;
    Ok(List::of_texts(pattern.find_iter(call.str(1)).take(most).map(|found| found.as_str())).into())
}

fn replace_all(call: &mut Call<'_>) -> Outcome {
    let pattern = pattern(call.str(0))?;
    let replaced = pattern.replace_all(call.str(1), call.str(2)).into_owned();
    call.machine.meter.make(replaced.len())?;
    Ok(replaced.into())
}

fn replace_literal(call: &mut Call<'_>) -> Outcome {
    let pattern = pattern(call.str(0))?;
    let replaced = pattern.replace_all(call.str(1), NoExpand(call.str(2))).into_owned();
    call.machine.meter.make(replaced.len())?;
    Ok(replaced.into())
}

fn split(call: &mut Call<'_>) -> Outcome {
    let pattern = pattern(call.str(0))?;
    let text = call.str(1);
    let most = match call.int(2) {
        0 => return Ok(List::of_texts(Vec::<&str>::new()).into()),
        most => usize::try_from(most).unwrap_or(usize::MAX),
    };
    if !call.str(0).is_empty() && text.is_empty() {
        return Ok(List::of_texts([""]).into());
    }
    let mut parts = Vec::new();
    let (mut begin, mut end) = (0, 0);
    for found in pattern.find_iter(text) {
        if most != usize::MAX && parts.len() + 1 >= most {
            break;
        }
        end = found.start();
        if found.end() != 0 {
            parts.push(text.get(begin..end).unwrap_or_default());
        }
        begin = found.end();
    }
    if end != text.len() {
        parts.push(text.get(begin..).unwrap_or_default());
    }
    Ok(List::of_texts(parts).into())
}

fn quote_meta(call: &mut Call<'_>) -> Outcome {
    let mut quoted = String::new();
    for character in call.str(0).chars() {
        if r"\.+*?()|[]{}^$".contains(character) {
            quoted.push('\\');
        }
        quoted.push(character);
    }
    Ok(quoted.into())
}
