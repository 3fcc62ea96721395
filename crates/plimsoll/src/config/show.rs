//! `plimsoll config show`: every setting, its value, and who said it.

use super::{ALL, Config};
use plimsoll_model::{Node, Value};
use std::fmt::Write as _;

/// Every setting as a line of the file.
pub(crate) fn show(config: &Config, has_origin: bool) -> String {
    let mut lines = Vec::new();
    for setting in ALL {
        lines.push(match config.said(setting.key) {
            Some(said) => (format!("{}: {}", setting.key, written(&said.value)), said.origin.as_str()),
            None if setting.default.is_empty() => (format!("# {}:", setting.key), "not set"),
            None => (format!("{}: {}", setting.key, setting.default), "default"),
        });
    }
    let width = lines.iter().map(|(line, _)| line.chars().count()).max().unwrap_or(0).min(50);
    let mut text = String::new();
    for (line, origin) in lines {
        if has_origin {
            let _ = writeln!(text, "{line:<width$}  # {origin}");
        } else {
            let _ = writeln!(text, "{line}");
        }
    }
    text
}

/// A value on one line.
fn written(node: &Node) -> String {
    match &node.value {
        Value::Bool(is_on) => is_on.to_string(),
        Value::Text(text) if is_plain(text) => text.to_string(),
        Value::Text(text) => serde_json::Value::from(&**text).to_string(),
        Value::List(items) => format!("[{}]", items.iter().map(written).collect::<Vec<_>>().join(", ")),
        Value::Map(entries) => {
            let entry =
                |(key, value): &(plimsoll_model::Key, Node)| format!("{}: {}", key.text, written(value));
            format!("{{{}}}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
        _ => String::new(),
    }
}

/// Whether a text means itself without quotes.
fn is_plain(text: &str) -> bool {
    let begins = text.starts_with(|letter: char| letter.is_ascii_alphabetic());
    begins && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_./".contains(letter))
}
