//! `merge` and `mergeOverwrite`, as `dario.cat/mergo` v1.0.1 merges maps of any values.

use crate::template::function::{Call, Function, Outcome, Parameter};
use crate::template::value::{Map, Value};

pub(super) const FUNCTIONS: &[Function] = &[
    Function::open("merge", &[Parameter::Map], Parameter::Map, merge),
    Function::open("mustMerge", &[Parameter::Map], Parameter::Map, merge),
    Function::open("mergeOverwrite", &[Parameter::Map], Parameter::Map, merge_overwrite),
    Function::open("mustMergeOverwrite", &[Parameter::Map], Parameter::Map, merge_overwrite),
];

fn merge(call: &mut Call<'_>) -> Outcome {
    merged(call, false)
}

fn merge_overwrite(call: &mut Call<'_>) -> Outcome {
    merged(call, true)
}

fn merged(call: &Call<'_>, overwrites: bool) -> Outcome {
    let Some(target) = call.map(0) else {
        return Ok(call.item(0));
    };
    for source in call.from(1).iter().filter_map(|item| item.value.as_map()) {
        merge_into(target, source, overwrites, 0);
    }
    Ok(call.item(0))
}

/// Merges in place: maps entry by entry, everything else where the target is empty or is to be overwritten.
pub(crate) fn merge_into(target: &Map, source: &Map, overwrites: bool, depth: usize) {
    const MAX_DEPTH: usize = 1_000;
    if target.is(source) || depth > MAX_DEPTH {
        return;
    }
    for (key, item) in source.entries() {
        let present = target.get(&key);
        let is_free = present.as_ref().is_none_or(|present| present.value.is_empty());
        match (present.as_ref().map(|present| &present.value), &item.value) {
            (Some(Value::Map(inner)), Value::Map(other)) if !is_free => {
                merge_into(inner, other, overwrites, depth + 1);
            }
            (_, Value::Nil) if !overwrites => {}
            _ if overwrites || is_free => target.set(key, item),
            _ => {}
        }
    }
}
