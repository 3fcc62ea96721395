//! The functions that every Go template has.

#![expect(clippy::unnecessary_wraps, reason = "every function of a table answers in the same way")]

use super::compare::{equals_one, order};
use super::format;
use super::function::{Call, Function, Outcome, Parameter};
use super::value::{Item, Kind, Value};
use std::cmp::Ordering;
use std::fmt::Write;

pub(super) const AND: &str = "and";
pub(super) const OR: &str = "or";

/// Go's own functions. `slice` and `call` are left out: Helm has another `slice`, and no value is a function.
pub(crate) const BUILTINS: &[Function] = &[
    Function::open(AND, &[Parameter::Raw], Parameter::Raw, first),
    Function::open(OR, &[Parameter::Raw], Parameter::Raw, first),
    Function::new("not", &[Parameter::Raw], not),
    Function::new("len", &[Parameter::Raw], len),
    Function::open("index", &[Parameter::Raw], Parameter::Raw, index),
    Function::open("eq", &[Parameter::Raw], Parameter::Raw, eq),
    Function::new("ne", &[Parameter::Raw, Parameter::Raw], ne),
    Function::new("lt", &[Parameter::Raw, Parameter::Raw], lt),
    Function::new("le", &[Parameter::Raw, Parameter::Raw], le),
    Function::new("gt", &[Parameter::Raw, Parameter::Raw], gt),
    Function::new("ge", &[Parameter::Raw, Parameter::Raw], ge),
    Function::open("print", &[], Parameter::Any, print),
    Function::open("println", &[], Parameter::Any, println),
    Function::open("printf", &[Parameter::Text], Parameter::Any, printf),
    Function::open("html", &[], Parameter::Any, html),
    Function::open("js", &[], Parameter::Any, js),
    Function::open("urlquery", &[], Parameter::Any, urlquery),
];

/// `and` and `or` are decided where their arguments are evaluated.
fn first(call: &mut Call<'_>) -> Outcome {
    Ok(call.item(0))
}

fn not(call: &mut Call<'_>) -> Outcome {
    Ok((!call.value(0).is_true()).into())
}

fn len(call: &mut Call<'_>) -> Outcome {
    let length = match call.value(0) {
        Value::Invalid => return Err("reflect: call of reflect.Value.Type on zero Value".into()),
        Value::Nil => return Err("len of nil pointer".into()),
        Value::Text(text) => text.bytes().len(),
        Value::List(list) => list.items().len(),
        Value::Map(map) => map.borrow().len(),
        Value::Object(object) if object.length().is_some() => object.length().unwrap_or_default(),
        value => return Err(format!("len of type {}", value.type_name()).into()),
    };
    Ok(Value::Int(i64::try_from(length).unwrap_or(i64::MAX)).into())
}

fn index(call: &mut Call<'_>) -> Outcome {
    let mut item = call.item(0);
    if item.value.is_nil() {
        return Err("index of untyped nil".into());
    }
    for index in call.from(1) {
        item = element(&item, &index.value)?;
    }
    Ok(item)
}

fn element(item: &Item, index: &Value) -> Outcome {
    match &item.value {
        Value::Invalid | Value::Nil => Err("index of nil pointer".into()),
        Value::Text(text) => {
            let at = position(index, text.bytes().len())?;
            match text.bytes().get(at) {
                Some(byte) => Ok(Value::Byte(*byte).into()),
                None => Err("reflect: string index out of range".into()),
            }
        }
        Value::Map(map) => {
            let key = map_key(index)?;
            let found = map.get(key).unwrap_or_else(|| Item::new(map.zero(), item.place));
            Ok(found.into_interface())
        }
        value => match value.as_items() {
            Some(items) => {
                let at = position(index, items.len())?;
                match items.get(at) {
                    Some(item) => Ok(item.clone().into_interface()),
                    None => Err("reflect: slice index out of range".into()),
                }
            }
            None => match value {
                Value::Object(object) if object.kind() == Kind::Map => {
                    let key = map_key(index)?;
                    let entries = object.entries().unwrap_or_default();
                    let found = entries.into_iter().find(|(known, _)| &**known == key);
                    Ok(found.map_or_else(|| Value::from("").into(), |(_, item)| item))
                }
                _ => Err(format!("can't index item of type {}", value.type_name()).into()),
            },
        },
    }
}

fn map_key(index: &Value) -> Result<&str, String> {
    match index {
        Value::Text(key) => Ok(key),
        Value::Invalid | Value::Nil => Err("value is nil; should be of type string".to_owned()),
        other => Err(format!("value has type {}; should be string", other.type_name())),
    }
}

fn position(index: &Value, length: usize) -> Result<usize, String> {
    let number = match index {
        Value::Int(number) | Value::Int64(number) => *number,
        Value::Byte(number) => i64::from(*number),
        Value::Uint64(number) => i64::try_from(*number).unwrap_or(-1),
        Value::Invalid | Value::Nil => return Err("cannot index slice/array with nil".to_owned()),
        other => return Err(format!("cannot index slice/array with type {}", other.type_name())),
    };
    let position = usize::try_from(number).ok().filter(|position| *position <= length);
    position.ok_or_else(|| format!("index out of range: {number}"))
}

fn eq(call: &mut Call<'_>) -> Outcome {
    Ok(equals_one(call.value(0), call.from(1))?.into())
}

fn ne(call: &mut Call<'_>) -> Outcome {
    Ok((!equals_one(call.value(0), call.from(1))?).into())
}

fn lt(call: &mut Call<'_>) -> Outcome {
    ordered(call, |order| order == Some(Ordering::Less))
}

fn le(call: &mut Call<'_>) -> Outcome {
    ordered(call, |order| matches!(order, Some(Ordering::Less | Ordering::Equal)))
}

/// Go turns `le` around, so that what has no order is greater.
fn gt(call: &mut Call<'_>) -> Outcome {
    ordered(call, |order| !matches!(order, Some(Ordering::Less | Ordering::Equal)))
}

fn ge(call: &mut Call<'_>) -> Outcome {
    ordered(call, |order| order != Some(Ordering::Less))
}

fn ordered(call: &Call<'_>, holds: fn(Option<Ordering>) -> bool) -> Outcome {
    Ok(holds(order(call.value(0), call.value(1))?).into())
}

fn print(call: &mut Call<'_>) -> Outcome {
    Ok(format::print(call.arguments).into())
}

fn println(call: &mut Call<'_>) -> Outcome {
    Ok(format::println(call.arguments).into())
}

fn printf(call: &mut Call<'_>) -> Outcome {
    let text = format::printf(call.str(0), call.from(1));
    call.machine.meter.make(text.len())?;
    Ok(text.into())
}

/// The arguments as one text: the only one as it is, several as `print` shows them.
fn joined(items: &[Item]) -> String {
    match items {
        [Item { value: Value::Text(text), .. }] => text.to_string(),
        [one] if one.value.is_nil() => "<no value>".to_owned(),
        _ => format::print(items),
    }
}

fn html(call: &mut Call<'_>) -> Outcome {
    let mut escaped = String::new();
    for character in joined(call.arguments).chars() {
        match character {
            '\0' => escaped.push('\u{FFFD}'),
            '"' => escaped.push_str("&#34;"),
            '\'' => escaped.push_str("&#39;"),
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            _ => escaped.push(character),
        }
    }
    Ok(escaped.into())
}

fn js(call: &mut Call<'_>) -> Outcome {
    let mut escaped = String::new();
    for character in joined(call.arguments).chars() {
        match character {
            '\\' => escaped.push_str("\\\\"),
            '\'' => escaped.push_str("\\'"),
            '"' => escaped.push_str("\\\""),
            '<' => escaped.push_str("\\u003C"),
            '>' => escaped.push_str("\\u003E"),
            '&' => escaped.push_str("\\u0026"),
            '=' => escaped.push_str("\\u003D"),
            '\0'..=' ' if character != ' ' => {
                let _ = write!(escaped, "\\u{:04X}", u32::from(character));
            }
            _ => escaped.push(character),
        }
    }
    Ok(escaped.into())
}

fn urlquery(call: &mut Call<'_>) -> Outcome {
    let mut escaped = String::new();
    for byte in joined(call.arguments).bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                escaped.push(char::from(byte));
            }
            b' ' => escaped.push('+'),
            _ => {
                let _ = write!(escaped, "%{byte:02X}");
            }
        }
    }
    Ok(escaped.into())
}
