//! YAML that every reader, old or new, reads the same way.

use plimsoll_model::{Node, Value};
use std::fmt::Write as _;

/// Appends a value as one document.
pub(super) fn write(out: &mut String, node: &Node) {
    match &node.value {
        Value::Map(entries) if !entries.is_empty() => write_map(out, node, 0, ""),
        Value::List(items) if !items.is_empty() => write_list(out, node, 0),
        _ => {
            out.push_str(&scalar(node, 0));
            out.push('\n');
        }
    }
}

/// Writes the entries of a map; the first follows what is already on its line.
fn write_map(out: &mut String, node: &Node, indent: usize, first: &str) {
    let margin = " ".repeat(indent);
    for (number, (key, value)) in node.entries().iter().enumerate() {
        out.push_str(if number == 0 && !first.is_empty() { first } else { &margin });
        out.push_str(&text(&key.text, None));
        out.push(':');
        write_value(out, value, indent);
    }
}

fn write_value(out: &mut String, value: &Node, indent: usize) {
    match &value.value {
        Value::Map(entries) if !entries.is_empty() => {
            out.push('\n');
            write_map(out, value, indent + 2, "");
        }
        Value::List(items) if !items.is_empty() => {
            out.push('\n');
            write_list(out, value, indent);
        }
        _ => {
            out.push(' ');
            out.push_str(&scalar(value, indent + 2));
            out.push('\n');
        }
    }
}

fn write_list(out: &mut String, node: &Node, indent: usize) {
    let lead = format!("{}- ", " ".repeat(indent));
    for item in node.items() {
        match &item.value {
            Value::Map(entries) if !entries.is_empty() => write_map(out, item, indent + 2, &lead),
            Value::List(items) if !items.is_empty() => {
                out.push_str(lead.trim_end());
                out.push('\n');
                write_list(out, item, indent + 2);
            }
            _ => {
                out.push_str(&lead);
                out.push_str(&scalar(item, indent + 2));
                out.push('\n');
            }
        }
    }
}

fn scalar(node: &Node, indent: usize) -> String {
    match &node.value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Uint(value) => value.to_string(),
        Value::Float(value) => float(*value),
        Value::Text(value) => text(value, Some(indent)),
        Value::Concealed(concealed) => text(&concealed.to_string(), None),
        Value::List(_) => "[]".to_owned(),
        Value::Map(_) => "{}".to_owned(),
    }
}

/// A number that stays one: `1` would be read as a whole number.
fn float(value: f64) -> String {
    let written = value.to_string();
    if written.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') {
        format!("{written}.0")
    } else {
        written
    }
}

/// Text, plain where nothing else can be meant by it; lines as a block where a block is possible.
fn text(value: &str, block_indent: Option<usize>) -> String {
    match block_indent {
        Some(indent) if is_block(value) => block(value, indent),
        _ if is_plain(value) => value.to_owned(),
        _ => quoted(value),
    }
}

/// Whether a text means only itself without quotes, in YAML 1.1 and 1.2.
fn is_plain(value: &str) -> bool {
    const WORDS: [&str; 11] = ["true", "false", "yes", "no", "on", "off", "y", "n", "null", "nan", "inf"];
    let is_letter = |letter: u8| letter.is_ascii_alphanumeric() || b"_./@-:, ()+%=".contains(&letter);
    value.starts_with(|first: char| first.is_ascii_alphabetic() || "_/(".contains(first))
        && value.bytes().all(is_letter)
        && !value.contains(": ")
        && !value.ends_with([':', ' '])
        && !WORDS.iter().any(|word| word.eq_ignore_ascii_case(value))
}

fn is_block(value: &str) -> bool {
    let is_clean = |line: &str| !line.ends_with([' ', '\t']);
    value.contains('\n')
        && !value.starts_with([' ', '\t', '\n'])
        && value.chars().all(|letter| letter == '\n' || is_printable(letter))
        && value.lines().all(is_clean)
}

fn block(value: &str, indent: usize) -> String {
    let body = value.trim_end_matches('\n');
    let chomp = match value.len() - body.len() {
        0 => "|-",
        1 => "|",
        _ => "|+",
    };
    let mut written = chomp.to_owned();
    for line in body.split('\n').chain(std::iter::repeat_n("", (value.len() - body.len()).saturating_sub(1)))
    {
        written.push('\n');
        if !line.is_empty() {
            written.push_str(&" ".repeat(indent));
            written.push_str(line);
        }
    }
    written
}

fn quoted(value: &str) -> String {
    let mut written = String::from("\"");
    for letter in value.chars() {
        match letter {
            '"' => written.push_str("\\\""),
            '\\' => written.push_str("\\\\"),
            '\n' => written.push_str("\\n"),
            '\t' => written.push_str("\\t"),
            letter if is_printable(letter) => written.push(letter),
            letter => {
                let _ = write!(written, "\\U{:08x}", u32::from(letter));
            }
        }
    }
    written.push('"');
    written
}

/// Letters that YAML reads as themselves and does not take for a line break.
fn is_printable(letter: char) -> bool {
    !letter.is_control() && !matches!(letter, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_could_be_read_otherwise_is_quoted() {
        for plain in ["web", "nginx:1.25", "/etc/tls", "a, b", "app.kubernetes.io/name"] {
            assert_eq!(text(plain, None), plain);
        }
        for other in [
            "",
            "yes",
            "No",
            "null",
            "1",
            "1e3",
            "0x1f",
            "2024-01-01",
            "a: b",
            "a:",
            "- a",
            "#",
            "~",
            "a #b",
            "*a",
            "&a",
            "!a",
            "{a",
            "é\u{7}",
        ] {
            assert!(text(other, None).starts_with('"'), "{other}");
        }
        assert_eq!(text("a\"\\\n\u{1}", None), "\"a\\\"\\\\\\n\\U00000001\"");
    }

    #[test]
    fn lines_become_a_block_that_keeps_its_end() {
        assert_eq!(text("a\nb", Some(2)), "|-\n  a\n  b");
        assert_eq!(text("a\n\n b\n", Some(2)), "|\n  a\n\n   b");
        assert_eq!(text("a\n\n", Some(2)), "|+\n  a\n");
        assert_eq!(text(" a\nb", Some(2)), "\" a\\nb\"");
        assert_eq!(text("a \nb", Some(2)), "\"a \\nb\"");
    }
}
