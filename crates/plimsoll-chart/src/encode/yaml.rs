//! YAML as `sigs.k8s.io/yaml` v1.6.0 writes it, by way of JSON and go-yaml v2; every line knows the value it shows.

use super::keys;
use super::scalar::{Style, is_break, is_printable, style};
use crate::template::float;
use crate::template::origin::{Origin, ValuePlace};
use crate::template::value::{Item, Text, TextBuilder, Value};
use std::rc::Rc;

/// Behind this column a text is broken at the next blank.
const WIDTH: usize = 80;
/// How many levels `encoding/json` goes before it looks for circles; deeper values are circles here.
const MAX_DEPTH: usize = 1_000;

/// The text of a value, or `None` for one that holds itself.
pub(crate) fn encode(item: &Item, origin: Origin) -> Option<Text> {
    Emitter::default().run(item, origin)
}

/// The same with lists indented under their keys, and no line broken.
pub(crate) fn encode_pretty(item: &Item, origin: Origin) -> Option<Text> {
    Emitter { indents_lists: true, ..Emitter::default() }.run(item, origin)
}

/// Where a node stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Position {
    Root,
    Item,
    Value,
}

#[derive(Default)]
struct Emitter {
    /// `goyaml.v3` writes so.
    indents_lists: bool,
    out: String,
    column: usize,
    /// From where on which value is shown.
    marks: Vec<(usize, ValuePlace)>,
    place: ValuePlace,
}

impl Emitter {
    fn run(mut self, item: &Item, origin: Origin) -> Option<Text> {
        self.node(item, Position::Root, None, 0)?;
        Some(self.finish(origin))
    }

    fn finish(mut self, origin: Origin) -> Text {
        // go-yaml ends the last line; Helm takes that end away.
        if self.column == 0 {
            self.out.truncate(self.out.strip_suffix('\n').map_or(self.out.len(), str::len));
        }
        let mut text = TextBuilder::default();
        let ends = self.marks.iter().skip(1).map(|(start, _)| *start).chain([self.out.len()]);
        for ((start, place), end) in self.marks.iter().zip(ends) {
            let part = self.out.get(*start..end).unwrap_or_default();
            text.push(part, Origin { value: place.or(origin.value), ..origin });
        }
        text.finish()
    }

    fn mark(&mut self, place: ValuePlace) {
        let place = place.or(self.place);
        self.marks.push((self.out.len(), place));
    }

    fn put(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += text.chars().count();
    }

    fn line_break(&mut self) {
        self.out.push('\n');
        self.column = 0;
    }

    fn indent(&mut self, indent: usize) {
        if self.column > 0 {
            self.line_break();
        }
        self.out.extend(std::iter::repeat_n(' ', indent));
        self.column = indent;
    }

    /// A node inside a list or map that is indented so far; `None` at the root.
    fn node(&mut self, item: &Item, position: Position, indent: Option<usize>, depth: usize) -> Option<()> {
        if depth > MAX_DEPTH {
            return None;
        }
        let outer = self.place;
        self.place = item.place.or(outer);
        if position == Position::Root {
            self.mark(item.place);
        }
        match &item.value {
            Value::Map(map) => {
                let mut entries = map.entries();
                entries.sort_by(|(left, _), (right, _)| keys::order(left, right));
                self.map(&entries, position, indent, depth)?;
            }
            Value::List(list) => self.list(list.items(), position, indent, depth)?,
            Value::Object(object) => {
                let plain = Item { value: object.plain(), ..item.clone() };
                self.node(&plain, position, indent, depth + 1)?;
            }
            value => {
                if position == Position::Value {
                    self.put(" ");
                }
                self.scalar(value, indent.map_or(2, |indent| indent + 2));
            }
        }
        self.place = outer;
        Some(())
    }

    fn map(
        &mut self,
        entries: &[(Rc<str>, Item)],
        position: Position,
        indent: Option<usize>,
        depth: usize,
    ) -> Option<()> {
        if entries.is_empty() {
            self.put(if position == Position::Value { " {}" } else { "{}" });
            return Some(());
        }
        let inner = indent.map_or(0, |indent| indent + 2);
        for (index, (key, item)) in entries.iter().enumerate() {
            if index > 0 || position == Position::Value {
                self.indent(inner);
            }
            self.mark(item.place);
            // go-yaml takes no key that is longer, or has several lines, for a simple one.
            let is_long = key.len() > 128 || key.contains(is_break);
            if is_long {
                self.put("? ");
            }
            self.text(key, inner + 2, !is_long);
            if is_long {
                self.indent(inner);
            }
            self.put(":");
            self.node(item, Position::Value, Some(inner), depth + 1)?;
        }
        Some(())
    }

    fn list(
        &mut self,
        items: &[Item],
        position: Position,
        indent: Option<usize>,
        depth: usize,
    ) -> Option<()> {
        if items.is_empty() {
            self.put(if position == Position::Value { " []" } else { "[]" });
            return Some(());
        }
        let inner = match position {
            Position::Root => 0,
            Position::Value if self.indents_lists => indent.map_or(0, |indent| indent + 2),
            Position::Value => indent.unwrap_or(0),
            Position::Item => indent.map_or(0, |indent| indent + 2),
        };
        for (index, item) in items.iter().enumerate() {
            if index > 0 || position == Position::Value {
                self.indent(inner);
            }
            self.mark(item.place);
            self.put("- ");
            self.node(item, Position::Item, Some(inner), depth + 1)?;
        }
        Some(())
    }

    fn scalar(&mut self, value: &Value, indent: usize) {
        match value {
            Value::Text(text) => self.text(text, indent, false),
            Value::Float(number) => self.put(&number_text(*number)),
            Value::Duration(number) => self.put(&number.to_string()),
            Value::Nil | Value::Invalid => self.put("null"),
            value => self.put(&crate::template::format::text(value)),
        }
    }

    fn text(&mut self, text: &str, indent: usize, is_key: bool) {
        match style(text, is_key) {
            Style::Plain => self.folded(text, indent, is_key, false),
            Style::Single => {
                self.put("'");
                self.folded(text, indent, is_key, true);
                self.put("'");
            }
            Style::Double => self.double(text, indent, is_key),
            Style::Literal => self.literal(text, indent),
        }
    }

    fn folded(&mut self, text: &str, indent: usize, is_key: bool, is_quoted: bool) {
        let mut spaces = false;
        let mut characters = text.char_indices().peekable();
        while let Some((at, character)) = characters.next() {
            if character != ' ' {
                if is_quoted && character == '\'' {
                    self.put("'");
                }
                self.push(character);
                spaces = false;
                continue;
            }
            let next_is_space = characters.peek().is_some_and(|(_, next)| *next == ' ');
            let is_inside = !is_quoted || (at > 0 && at + 1 < text.len());
            if !is_key && !spaces && self.is_wide() && is_inside && !next_is_space {
                self.indent(indent);
            } else {
                self.push(' ');
            }
            spaces = true;
        }
    }

    fn is_wide(&self) -> bool {
        self.column > WIDTH && !self.indents_lists
    }

    fn push(&mut self, character: char) {
        self.out.push(character);
        self.column += 1;
    }

    fn double(&mut self, text: &str, indent: usize, is_key: bool) {
        self.put("\"");
        let mut spaces = false;
        let mut characters = text.char_indices().peekable();
        while let Some((at, character)) = characters.next() {
            if character != ' ' {
                spaces = false;
                match escaped(character) {
                    Some(escaped) => self.put(&escaped),
                    None => self.push(character),
                }
                continue;
            }
            let is_inside = at > 0 && at + 1 < text.len();
            let breaks = !is_key && !spaces && self.is_wide() && is_inside;
            spaces = true;
            if !breaks {
                self.push(' ');
                continue;
            }
            self.indent(indent);
            if characters.peek().is_some_and(|(_, next)| *next == ' ') {
                self.put("\\");
            }
        }
        self.put("\"");
    }

    fn literal(&mut self, text: &str, indent: usize) {
        self.put("|");
        if text.starts_with([' ', '\n', '\r']) {
            self.put("2");
        }
        let body = text.strip_suffix('\n');
        match body {
            None => self.put("-"),
            Some(body) if body.is_empty() || body.ends_with(is_break) => self.put("+"),
            Some(_) => {}
        }
        self.line_break();
        for (index, line) in body.unwrap_or(text).split('\n').enumerate() {
            if index > 0 {
                self.line_break();
            }
            if !line.is_empty() {
                self.indent(indent);
                self.put(line);
            }
        }
        if body.is_some() {
            self.line_break();
        }
    }
}

fn escaped(character: char) -> Option<String> {
    let short = match character {
        '\0' => "\\0",
        '\u{7}' => "\\a",
        '\u{8}' => "\\b",
        '\t' => "\\t",
        '\n' => "\\n",
        '\u{B}' => "\\v",
        '\u{C}' => "\\f",
        '\r' => "\\r",
        '\u{1B}' => "\\e",
        '"' => "\\\"",
        '\\' => "\\\\",
        '\u{85}' => "\\N",
        '\u{2028}' => "\\L",
        '\u{2029}' => "\\P",
        _ if is_printable(character) => return None,
        _ => {
            let code = u32::from(character);
            return Some(match code {
                0..=0xFF => format!("\\x{code:02X}"),
                0x100..=0xFFFF => format!("\\u{code:04X}"),
                _ => format!("\\U{code:08X}"),
            });
        }
    };
    Some(short.to_owned())
}

/// A number that went through JSON: whole where it can be.
fn number_text(number: f64) -> String {
    let text = float::json(number);
    let is_whole = text.parse::<i64>().is_ok() || text.parse::<u64>().is_ok();
    if is_whole { text } else { float::shown(number) }
}
