//! JSON as Go's `encoding/json` writes it.

use crate::template::float;
use crate::template::value::{Item, Value};
use std::fmt::Write;

/// Deeper values hold themselves.
const MAX_DEPTH: usize = 1_000;

/// How JSON is laid out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Layout {
    /// Whether each entry stands on a line of its own.
    pub(crate) is_indented: bool,
    /// Whether `<`, `>` and `&` are written as numbers.
    pub(crate) escapes_html: bool,
}

/// The text of a value, or Go's error for one that cannot be written.
pub(crate) fn encode(value: &Value, layout: Layout) -> Result<String, String> {
    let mut writer = Writer { out: String::new(), layout };
    writer.value(value, 0)?;
    Ok(writer.out)
}

struct Writer {
    out: String,
    layout: Layout,
}

impl Writer {
    fn value(&mut self, value: &Value, depth: usize) -> Result<(), String> {
        if depth > MAX_DEPTH {
            let name = value.type_name();
            return Err(format!("json: unsupported value: encountered a cycle via {name}"));
        }
        match value {
            Value::Invalid | Value::Nil => self.out.push_str("null"),
            Value::Text(text) => self.text(text),
            Value::Float(number) if !number.is_finite() => {
                return Err(format!("json: unsupported value: {}", float::shown(*number)));
            }
            Value::Float(number) => self.out.push_str(&float::json(*number)),
            Value::Duration(number) => self.out.push_str(&number.to_string()),
            Value::List(list) => self.list(list.items(), depth)?,
            Value::Map(map) => self.map(&map.entries(), depth)?,
            Value::Object(object) => self.value(&object.plain(), depth + 1)?,
            value => self.out.push_str(&crate::template::format::text(value)),
        }
        Ok(())
    }

    fn line(&mut self, depth: usize) {
        if self.layout.is_indented {
            self.out.push('\n');
            self.out.extend(std::iter::repeat_n("  ", depth));
        }
    }

    fn list(&mut self, items: &[Item], depth: usize) -> Result<(), String> {
        self.out.push('[');
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.out.push(',');
            }
            self.line(depth + 1);
            self.value(&item.value, depth + 1)?;
        }
        if !items.is_empty() {
            self.line(depth);
        }
        self.out.push(']');
        Ok(())
    }

    fn map(&mut self, entries: &[(std::rc::Rc<str>, Item)], depth: usize) -> Result<(), String> {
        self.out.push('{');
        for (index, (key, item)) in entries.iter().enumerate() {
            if index > 0 {
                self.out.push(',');
            }
            self.line(depth + 1);
            self.text(key);
            self.out.push_str(if self.layout.is_indented { ": " } else { ":" });
            self.value(&item.value, depth + 1)?;
        }
        if !entries.is_empty() {
            self.line(depth);
        }
        self.out.push('}');
        Ok(())
    }

    fn text(&mut self, text: &str) {
        self.out.push('"');
        for character in text.chars() {
            match character {
                '"' => self.out.push_str("\\\""),
                '\\' => self.out.push_str("\\\\"),
                '\u{8}' => self.out.push_str("\\b"),
                '\u{C}' => self.out.push_str("\\f"),
                '\n' => self.out.push_str("\\n"),
                '\r' => self.out.push_str("\\r"),
                '\t' => self.out.push_str("\\t"),
                '<' | '>' | '&' if self.layout.escapes_html => self.escape(character),
                '\0'..'\x20' | '\u{2028}' | '\u{2029}' => self.escape(character),
                _ => self.out.push(character),
            }
        }
        self.out.push('"');
    }

    fn escape(&mut self, character: char) {
        let _ = write!(self.out, "\\u{:04x}", u32::from(character));
    }
}
