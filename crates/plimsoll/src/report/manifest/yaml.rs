//! YAML that every reader, old or new, reads the same way.

use plimsoll_model::{Node, Value};
use std::fmt::Write as _;

/// Appends a value as one document.
pub(super) fn write(out: &mut String, node: &Node) {
    match &node.value {
        Value::Map(entries) if !entries.is_empty() => write_map(out, node, 0, ""),
        Value::List(items) if !items.is_empty() => write_list(out, node, 0),
        _ => {
            write_scalar(out, node, 0);
            out.push('\n');
        }
    }
}

/// Writes the entries of a map; the first follows what is already on its line.
fn write_map(out: &mut String, node: &Node, indent: usize, first: &str) {
    let margin = " ".repeat(indent);
    for (number, (key, value)) in node.entries().iter().enumerate() {
        out.push_str(if number == 0 && !first.is_empty() { first } else { &margin });
        write_text(out, &key.text, None);
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
            write_scalar(out, value, indent + 2);
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
                write_scalar(out, item, indent + 2);
                out.push('\n');
            }
        }
    }
}

fn write_scalar(out: &mut String, node: &Node, indent: usize) {
    match &node.value {
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Int(value) => out.push_str(&value.to_string()),
        Value::Uint(value) => out.push_str(&value.to_string()),
        Value::Float(value) => out.push_str(&float(*value)),
        Value::Text(value) => write_text(out, value, Some(indent)),
        Value::Concealed(concealed) => write_text(out, &concealed.to_string(), None),
        Value::List(_) => out.push_str("[]"),
        Value::Map(_) => out.push_str("{}"),
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

/// Writes text, plain where nothing else can be meant by it; lines as a block where a block is possible.
fn write_text(out: &mut String, value: &str, block_indent: Option<usize>) {
    let letters = Letters::of(value);
    match block_indent {
        Some(indent) if is_block(value, letters) => write_block(out, value, indent),
        _ if is_plain(value, letters) => out.push_str(value),
        _ => write_quoted(out, value),
    }
}

/// Which kinds of letters stand in a text. Most of what is written is long text: it is looked at once.
#[derive(Clone, Copy)]
struct Letters(u8);

impl Letters {
    /// Means nothing in YAML wherever it stands behind the first; see [`is_plain`] for colons and blanks.
    const PLAIN: u8 = 0;
    const COLON: u8 = 1;
    const LINE_BREAK: u8 = 2;
    const SIGN: u8 = 4;
    const CONTROL: u8 = 8;
    const WIDE: u8 = 16;

    fn of(value: &str) -> Self {
        let kind = |letter: u8| Self::KINDS.get(usize::from(letter)).copied().unwrap_or_default();
        Self(value.bytes().fold(Self::PLAIN, |seen, letter| seen | kind(letter)))
    }

    fn have(self, kinds: u8) -> bool {
        self.0 & kinds != 0
    }

    const KINDS: [u8; 256] = {
        let mut kinds = [Self::WIDE; 256];
        let mut letter: u8 = 0;
        while letter < 128 {
            #[expect(clippy::indexing_slicing, reason = "it is below 128")]
            {
                kinds[letter as usize] = match letter {
                    b'\n' => Self::LINE_BREAK,
                    b':' => Self::COLON,
                    b'_' | b'.' | b'/' | b'@' | b'-' | b',' | b' ' | b'(' | b')' | b'+' | b'%' | b'=' => {
                        Self::PLAIN
                    }
                    _ if letter.is_ascii_alphanumeric() => Self::PLAIN,
                    _ if letter.is_ascii_control() => Self::CONTROL,
                    _ => Self::SIGN,
                };
            }
            letter += 1;
        }
        kinds
    };
}

/// Whether a text means only itself without quotes, in YAML 1.1 and 1.2.
fn is_plain(value: &str, letters: Letters) -> bool {
    const WORDS: [&str; 11] = ["true", "false", "yes", "no", "on", "off", "y", "n", "null", "nan", "inf"];
    const LONGEST: usize = 5;
    const OTHERS: u8 = Letters::LINE_BREAK | Letters::SIGN | Letters::CONTROL | Letters::WIDE;
    !letters.have(OTHERS)
        && value.starts_with(|first: char| first.is_ascii_alphabetic() || "_/(".contains(first))
        && !(letters.have(Letters::COLON) && (value.contains(": ") || value.ends_with(':')))
        && !value.ends_with(' ')
        && (value.len() > LONGEST || !WORDS.iter().any(|word| word.eq_ignore_ascii_case(value)))
}

fn is_block(value: &str, letters: Letters) -> bool {
    letters.have(Letters::LINE_BREAK)
        && !letters.have(Letters::CONTROL)
        && !value.starts_with([' ', '\n'])
        && !value.ends_with(' ')
        && !value.contains(" \n")
        && (!letters.have(Letters::WIDE)
            || value.chars().all(|letter| letter == '\n' || is_printable(letter)))
}

fn write_block(out: &mut String, value: &str, indent: usize) {
    let body = value.trim_end_matches('\n');
    let ends = value.len() - body.len();
    out.push_str(match ends {
        0 => "|-",
        1 => "|",
        _ => "|+",
    });
    let margin = " ".repeat(indent);
    for line in body.split('\n').chain(std::iter::repeat_n("", ends.saturating_sub(1))) {
        out.push('\n');
        if !line.is_empty() {
            out.push_str(&margin);
            out.push_str(line);
        }
    }
}

fn write_quoted(out: &mut String, value: &str) {
    out.push('"');
    let is_itself = |letter: char| !matches!(letter, '"' | '\\') && is_printable(letter);
    let mut rest = value;
    while let Some(at) = rest.find(|letter| !is_itself(letter)) {
        let (same, other) = rest.split_at(at);
        out.push_str(same);
        let mut letters = other.chars();
        match letters.next() {
            Some('"') => out.push_str("\\\""),
            Some('\\') => out.push_str("\\\\"),
            Some('\n') => out.push_str("\\n"),
            Some('\t') => out.push_str("\\t"),
            letter => {
                let _ = write!(out, "\\U{:08x}", letter.map_or(0, u32::from));
            }
        }
        rest = letters.as_str();
    }
    out.push_str(rest);
    out.push('"');
}

/// Letters that YAML reads as themselves and does not take for a line break.
fn is_printable(letter: char) -> bool {
    if letter.is_ascii() {
        return !letter.is_ascii_control();
    }
    !letter.is_control() && !matches!(letter, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: &str, block_indent: Option<usize>) -> String {
        let mut out = String::new();
        write_text(&mut out, value, block_indent);
        out
    }

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
