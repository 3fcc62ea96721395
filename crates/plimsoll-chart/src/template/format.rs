//! Values as text: Go's `fmt`, for `print`, `println`, `printf` and every action.

mod integer;
mod spec;
mod verbs;

use super::float::shown;
use super::value::{Item, Value};
use verbs::Printer;

/// As an action prints a value.
pub(crate) fn printed(value: &Value) -> String {
    match value {
        Value::Invalid => "<no value>".to_owned(),
        value => text(value),
    }
}

/// As `%v` shows a value.
pub(crate) fn text(value: &Value) -> String {
    let mut out = String::new();
    write_value(&mut out, value, 0);
    out
}

/// Deeper values are not shown: only a map that holds itself comes here.
const MAX_DEPTH: usize = 1_000;

pub(super) fn write_value(out: &mut String, value: &Value, depth: usize) {
    if depth > MAX_DEPTH {
        return;
    }
    match value {
        Value::Invalid | Value::Nil => out.push_str("<nil>"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Int(value) | Value::Int64(value) => out.push_str(&value.to_string()),
        Value::Byte(value) => out.push_str(&value.to_string()),
        Value::Uint64(value) => out.push_str(&value.to_string()),
        Value::Float(value) => out.push_str(&shown(*value)),
        Value::Text(text) => out.push_str(text),
        Value::Duration(nanoseconds) => out.push_str(&super::duration::shown(*nanoseconds)),
        Value::Object(object) => out.push_str(&object.print()),
        Value::List(list) => {
            out.push('[');
            for (index, item) in list.items().iter().enumerate() {
                if index > 0 {
                    out.push(' ');
                }
                write_value(out, &item.value, depth + 1);
            }
            out.push(']');
        }
        Value::Map(map) => {
            out.push_str("map[");
            for (index, (key, item)) in map.borrow().iter().enumerate() {
                if index > 0 {
                    out.push(' ');
                }
                out.push_str(key);
                out.push(':');
                write_value(out, &item.value, depth + 1);
            }
            out.push(']');
        }
    }
}

/// `fmt.Sprint`: a blank between two of which neither is a text.
pub(crate) fn print(items: &[Item]) -> String {
    let mut out = String::new();
    let mut before: Option<&Value> = None;
    for Item { value, .. } in items {
        let needs_blank =
            before.is_some_and(|before| before.as_text().is_none() && value.as_text().is_none());
        if needs_blank {
            out.push(' ');
        }
        write_value(&mut out, value, 0);
        before = Some(value);
    }
    out
}

/// `fmt.Sprintln`: a blank between any two, and the end of a line.
pub(crate) fn println(items: &[Item]) -> String {
    let texts: Vec<String> = items.iter().map(|item| text(&item.value)).collect();
    texts.join(" ") + "\n"
}

/// `fmt.Sprintf`.
pub(crate) fn printf(format: &str, items: &[Item]) -> String {
    Printer::new(items).run(format)
}
