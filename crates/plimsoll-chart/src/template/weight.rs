//! How much there is to walk through in a value. Small values that hold each other twice become large ones: forty lists in
//! each other, each given twice, are a trillion.

use super::failure::Failure;
use super::limits::Meter;
use super::value::{Item, Value};

/// How many parts a value may have, many times what the largest files of values have.
const MAX_PARTS: usize = 2_000_000;

/// What walking through a part costs, as bytes of text.
const BYTES_OF_A_PART: usize = 64;

/// Functions that hand values on without looking at what is in their parts.
const SHALLOW: [&str; 49] = [
    "all",
    "any",
    "append",
    "coalesce",
    "concat",
    "default",
    "dict",
    "dig",
    "empty",
    "first",
    "get",
    "hasKey",
    "include",
    "index",
    "initial",
    "keys",
    "kindIs",
    "kindOf",
    "last",
    "len",
    "list",
    "lookup",
    "mustAppend",
    "mustFirst",
    "mustInitial",
    "mustLast",
    "mustPrepend",
    "mustPush",
    "mustRest",
    "mustReverse",
    "mustSlice",
    "not",
    "omit",
    "pick",
    "pluck",
    "prepend",
    "push",
    "required",
    "rest",
    "reverse",
    "set",
    "slice",
    "ternary",
    "tpl",
    "tuple",
    "typeIs",
    "typeOf",
    "unset",
    "values",
];

/// Whether what a function is given is walked through.
pub(super) fn is_walked(function: &str) -> bool {
    SHALLOW.binary_search(&function).is_err()
}

/// Counts the parts of values before they are walked through.
pub(super) fn weigh(items: &[Item], meter: &mut Meter) -> Result<(), Failure> {
    let mut parts = 0;
    let mut waiting: Vec<Value> = nested(items).collect();
    while let Some(value) = waiting.pop() {
        match &value {
            Value::List(list) => {
                parts += list.items().len();
                waiting.extend(nested(list.items()));
            }
            Value::Map(map) => {
                parts += map.borrow().len();
                waiting.extend(nested(map.borrow().values()));
            }
            _ => {}
        }
        if parts > MAX_PARTS {
            return Err(Failure::limit(format!("a value has more than {MAX_PARTS} parts, or holds itself")));
        }
    }
    meter.spend(parts.saturating_mul(BYTES_OF_A_PART))
}

fn nested<'i>(items: impl IntoIterator<Item = &'i Item>) -> impl Iterator<Item = Value> {
    let has_parts = |item: &&Item| matches!(item.value, Value::List(_) | Value::Map(_));
    items.into_iter().filter(has_parts).map(|item| item.value.clone())
}
