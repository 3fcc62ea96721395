//! Values as Go's `encoding/json` writes them.

use plimsoll_model::{Node, Value};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A value as Go's `encoding/json` writes it, keys sorted.
pub(crate) fn json_of(node: &Node) -> String {
    match &node.value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Uint(value) => value.to_string(),
        Value::Float(value) => value.to_string(),
        Value::Text(text) => quoted(text),
        Value::Concealed(text) => quoted(text.reveal()),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(json_of).collect();
            format!("[{}]", items.join(","))
        }
        Value::Map(entries) => {
            let sorted: BTreeMap<&str, String> =
                entries.iter().map(|(key, node)| (&*key.text, json_of(node))).collect();
            let members: Vec<String> =
                sorted.iter().map(|(key, value)| format!("{}:{value}", quoted(key))).collect();
            format!("{{{}}}", members.join(","))
        }
    }
}

/// A text as Go's `encoding/json` writes it: signs of HTML and two line breaks of Unicode are escaped.
pub(super) fn quoted(text: &str) -> String {
    let mut written = String::with_capacity(text.len() + 2);
    written.push('"');
    for letter in text.chars() {
        match letter {
            '"' => written.push_str("\\\""),
            '\\' => written.push_str("\\\\"),
            '\n' => written.push_str("\\n"),
            '\r' => written.push_str("\\r"),
            '\t' => written.push_str("\\t"),
            '\u{8}' => written.push_str("\\b"),
            '\u{c}' => written.push_str("\\f"),
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\0'..='\u{1f}' => {
                let _ = write!(written, "\\u{:04x}", u32::from(letter));
            }
            letter => written.push(letter),
        }
    }
    written.push('"');
    written
}

/// The same over several lines, as `json.MarshalIndent` writes it with two spaces.
pub(crate) fn json_lines(node: &Node) -> String {
    lines_at(node, 0)
}

fn lines_at(node: &Node, depth: usize) -> String {
    let (open, close, members): (char, char, Vec<String>) = match &node.value {
        Value::List(items) if !items.is_empty() => {
            ('[', ']', items.iter().map(|item| lines_at(item, depth + 1)).collect())
        }
        Value::Map(entries) if !entries.is_empty() => {
            let sorted: BTreeMap<&str, &Node> =
                entries.iter().map(|(key, node)| (&*key.text, node)).collect();
            let member =
                |(key, node): (&&str, &&Node)| format!("{}: {}", quoted(key), lines_at(node, depth + 1));
            ('{', '}', sorted.iter().map(member).collect())
        }
        _ => return json_of(node),
    };
    let margin = "  ".repeat(depth + 1);
    let joined = members.join(&format!(",\n{margin}"));
    format!("{open}\n{margin}{joined}\n{}{close}", "  ".repeat(depth))
}
