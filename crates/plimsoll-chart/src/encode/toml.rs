//! TOML as `github.com/BurntSushi/toml` v1.6.0 writes it: plain values of a table first, then tables.

use crate::template::float;
use crate::template::quote::quoted;
use crate::template::value::{Item, Map, Value};
use std::fmt::Write as _;
use std::rc::Rc;

/// The text of a map; of anything else, and of what TOML does not know, the error as text.
pub(crate) fn encode(value: &Value) -> String {
    let mut out = String::new();
    match value {
        Value::Map(map) => match table(&mut out, map, &[]) {
            Ok(()) => out,
            Err(error) => error,
        },
        _ => "toml: top-level values must be Go maps or structs".to_owned(),
    }
}

fn table(out: &mut String, map: &Map, path: &[String]) -> Result<(), String> {
    let entries = map.entries();
    let indent = "  ".repeat(path.len().saturating_sub(1));
    let is_table = |item: &Item| matches!(&item.value, Value::Map(_)) || is_table_list(&item.value);
    for (key, item) in entries.iter().filter(|(_, item)| !is_table(item) && !item.value.is_nil()) {
        let pad = if path.is_empty() { "" } else { "  " };
        let _ = writeln!(out, "{indent}{pad}{} = {}", key_text(key), inline(&item.value)?);
    }
    for (key, item) in entries.iter().filter(|(_, item)| is_table(item)) {
        sub_tables(out, key, &item.value, path)?;
    }
    Ok(())
}

fn sub_tables(out: &mut String, key: &Rc<str>, value: &Value, path: &[String]) -> Result<(), String> {
    let mut inner = path.to_vec();
    inner.push(key_text(key));
    let indent = "  ".repeat(path.len());
    let name = inner.join(".");
    if let Value::Map(map) = value {
        if !out.is_empty() {
            out.push('\n');
        }
        let _ = writeln!(out, "{indent}[{name}]");
        return table(out, map, &inner);
    }
    for item in value.as_items().unwrap_or_default() {
        if let Value::Map(map) = &item.value {
            if !out.is_empty() {
                out.push('\n');
            }
            let _ = writeln!(out, "{indent}[[{name}]]");
            table(out, map, &inner)?;
        }
    }
    Ok(())
}

fn is_table_list(value: &Value) -> bool {
    value.as_items().is_some_and(|items| {
        !items.is_empty() && items.iter().all(|item| matches!(item.value, Value::Map(_)))
    })
}

fn key_text(key: &str) -> String {
    let is_bare =
        !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
    if is_bare { key.to_owned() } else { quoted(key) }
}

fn inline(value: &Value) -> Result<String, String> {
    Ok(match value {
        Value::Text(text) => quoted(text),
        Value::Float(number) => {
            let text = float::shown(*number);
            if text.contains(['.', 'e', 'N', 'I']) { text } else { text + ".0" }
        }
        Value::Map(map) => {
            let mut parts = Vec::new();
            for (key, item) in map.entries() {
                parts.push(format!("{} = {}", key_text(&key), inline(&item.value)?));
            }
            format!("{{{}}}", parts.join(", "))
        }
        Value::Nil | Value::Invalid => return Err("toml: cannot encode array with nil element".to_owned()),
        value => match value.as_items() {
            Some(items) => {
                let parts: Result<Vec<String>, String> =
                    items.iter().map(|item| inline(&item.value)).collect();
                format!("[{}]", parts?.join(", "))
            }
            None => crate::template::format::text(value),
        },
    })
}
