//! JSON values one after another, as Go's `encoding/json` reads them, told as events.

use super::build::Builder;
use super::document::Fault;
use super::events::{Event, Listener, Span, too_deep};
use super::limits::{MAX_DEPTH, MAX_DOCUMENT_BYTES};
use super::number::float;
use super::split::{Form, Piece};
use plimsoll_model::{Place, Value};

/// Where a stream stopped being JSON.
#[derive(Debug)]
pub(super) struct Stopped<'t> {
    /// What is left of the text.
    pub(super) rest: Piece<'t>,
    /// Why.
    pub(super) fault: Fault,
}

/// Reads the values of a stream; `None` if it was JSON to the end.
pub(super) fn values<'t>(
    piece: &Piece<'t>,
    mut keep: impl FnMut(&Piece<'t>, Builder),
) -> Option<Stopped<'t>> {
    let mut cursor = Cursor::new(piece);
    loop {
        let before = cursor;
        cursor.skip_blanks();
        if cursor.rest.is_empty() {
            return None;
        }
        let begin = cursor;
        let mut builder = Builder::default();
        let told = cursor.tell(&mut builder);
        if let Err(fault) = told {
            let mut rest = before;
            rest.skip_to_next_line();
            return Some(Stopped { rest: rest.piece(), fault });
        }
        let length = begin.rest.len() - cursor.rest.len();
        let text = begin.rest.get(..length).unwrap_or_default();
        keep(&Piece { text, ..begin.piece() }, builder);
    }
}

/// Tells a listener what stands in the first value of a piece.
pub(super) fn listen(piece: &Piece<'_>, listener: &mut dyn Listener) -> Result<(), Fault> {
    let mut cursor = Cursor::new(piece);
    cursor.skip_blanks();
    cursor.tell(listener)
}

#[derive(Clone, Copy)]
struct Cursor<'t> {
    rest: &'t str,
    place: Place,
}

/// What may stand next inside a list or map.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    List,
    Map,
}

impl<'t> Cursor<'t> {
    fn new(piece: &Piece<'t>) -> Self {
        Self { rest: piece.text, place: piece.start }
    }

    fn piece(&self) -> Piece<'t> {
        Piece { text: self.rest, start: self.place, form: Form::Json }
    }

    fn tell(&mut self, listener: &mut dyn Listener) -> Result<(), Fault> {
        let begin = self.rest.len();
        let mut open = Vec::new();
        loop {
            self.value(&mut open, listener)?;
            // Close everything that ends here, and find the next value.
            loop {
                if open.is_empty() {
                    return Ok(());
                }
                self.skip_blanks();
                if self.closes(&mut open, listener)? {
                    continue;
                }
                self.expect(',')?;
                self.key(&open, listener)?;
                break;
            }
            if begin - self.rest.len() > MAX_DOCUMENT_BYTES {
                let limit = MAX_DOCUMENT_BYTES / (1024 * 1024);
                return Err(Fault::new(
                    self.place,
                    format!("this document is larger than {limit} MiB; split it"),
                ));
            }
        }
    }

    /// Tells one value; of a list or map that is not empty, only that it begins, and then its first value.
    fn value(&mut self, open: &mut Vec<Open>, listener: &mut dyn Listener) -> Result<(), Fault> {
        loop {
            self.skip_blanks();
            let span = self.span();
            let (event, opened) = match self.rest.as_bytes().first() {
                Some(b'[') => (Event::List(None), Open::List),
                Some(b'{') => (Event::Map(None), Open::Map),
                _ => {
                    let value = self.scalar()?;
                    let span = Span { last_line: self.place.line, ..span };
                    return listener.hear(Event::Value(value), span);
                }
            };
            self.advance(1);
            listener.hear(event, span)?;
            open.push(opened);
            if open.len() > MAX_DEPTH {
                return Err(too_deep(span.start));
            }
            self.skip_blanks();
            if self.closes(open, listener)? {
                return Ok(());
            }
            self.key(open, listener)?;
        }
    }

    fn closes(&mut self, open: &mut Vec<Open>, listener: &mut dyn Listener) -> Result<bool, Fault> {
        let is_end = match open.last() {
            Some(Open::List) => self.rest.starts_with(']'),
            Some(Open::Map) => self.rest.starts_with('}'),
            None => false,
        };
        if is_end {
            let span = self.span();
            self.advance(1);
            open.pop();
            listener.hear(Event::End, span)?;
        }
        Ok(is_end)
    }

    /// Inside a map, the key and the colon before the next value.
    fn key(&mut self, open: &[Open], listener: &mut dyn Listener) -> Result<(), Fault> {
        if open.last() != Some(&Open::Map) {
            return Ok(());
        }
        self.skip_blanks();
        let span = self.span();
        if !self.rest.starts_with('"') {
            return Err(self.fault());
        }
        let value = Value::Text(self.string()?.into());
        listener.hear(Event::Value(value), span)?;
        self.skip_blanks();
        self.expect(':')
    }

    fn scalar(&mut self) -> Result<Value, Fault> {
        if self.rest.starts_with('"') {
            return Ok(Value::Text(self.string()?.into()));
        }
        for (word, value) in
            [("null", Value::Null), ("true", Value::Bool(true)), ("false", Value::Bool(false))]
        {
            if self.rest.starts_with(word) {
                self.advance(word.len());
                return Ok(value);
            }
        }
        self.number()
    }

    fn number(&mut self) -> Result<Value, Fault> {
        let is_part = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
        let length = self.rest.bytes().take_while(is_part).count();
        let text = self.rest.get(..length).unwrap_or_default();
        if !is_json_number(text) {
            return Err(self.fault());
        }
        let whole = text.parse().map(Value::Int).or_else(|_| text.parse().map(Value::Uint)).ok();
        let value = whole.or_else(|| float(text)).ok_or_else(|| self.fault())?;
        self.advance(length);
        Ok(value)
    }

    fn string(&mut self) -> Result<String, Fault> {
        let mut text = String::new();
        self.advance(1);
        loop {
            let plain =
                self.rest.find(|c: char| matches!(c, '"' | '\\') || c < ' ').ok_or_else(|| self.fault())?;
            text.push_str(self.rest.get(..plain).unwrap_or_default());
            self.advance(plain);
            match self.rest.as_bytes().first() {
                Some(b'"') => {
                    self.advance(1);
                    return Ok(text);
                }
                Some(b'\\') => text.push(self.escape()?),
                _ => return Err(self.fault()),
            }
        }
    }

    fn escape(&mut self) -> Result<char, Fault> {
        let simple = match self.rest.as_bytes().get(1) {
            Some(b'u') => return self.unicode(),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(byte @ (b'"' | b'\\' | b'/')) => char::from(*byte),
            _ => return Err(self.fault()),
        };
        self.advance(2);
        Ok(simple)
    }

    /// A character by its number; half of a pair becomes the replacement character, as in Go.
    fn unicode(&mut self) -> Result<char, Fault> {
        let first = self.unit().ok_or_else(|| self.fault())?;
        self.advance(6);
        if !(0xD800..0xDC00).contains(&first) {
            return Ok(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        let Some(second @ 0xDC00..=0xDFFF) = self.unit() else {
            return Ok(char::REPLACEMENT_CHARACTER);
        };
        self.advance(6);
        let joined = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
        Ok(char::from_u32(joined).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn unit(&self) -> Option<u32> {
        let digits = self.rest.strip_prefix("\\u")?.get(..4)?;
        let are_digits = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        u32::from_str_radix(digits, 16).ok().filter(|_| are_digits)
    }

    fn expect(&mut self, wanted: char) -> Result<(), Fault> {
        if !self.rest.starts_with(wanted) {
            return Err(self.fault());
        }
        self.advance(1);
        Ok(())
    }

    fn skip_blanks(&mut self) {
        let blanks = self.rest.bytes().take_while(|byte| b" \t\r\n".contains(byte)).count();
        self.advance(blanks);
    }

    /// Blanks up to and with the next line break.
    fn skip_to_next_line(&mut self) {
        let blanks = self.rest.len() - self.rest.trim_start().len();
        let head = self.rest.get(..blanks).unwrap_or_default();
        self.advance(head.find('\n').map_or(blanks, |at| at + 1));
    }

    fn advance(&mut self, bytes: usize) {
        let (passed, rest) = self.rest.split_at_checked(bytes).unwrap_or((self.rest, ""));
        let lines = passed.bytes().filter(|byte| *byte == b'\n').count();
        let tail = passed.rsplit('\n').next().unwrap_or_default().chars().count();
        let column = if lines > 0 { 1 } else { self.place.column };
        self.place.line = self.place.line.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
        self.place.column = column.saturating_add(u32::try_from(tail).unwrap_or(u32::MAX));
        self.rest = rest;
    }

    fn span(&self) -> Span {
        Span { start: self.place, last_line: self.place.line }
    }

    fn fault(&self) -> Fault {
        Fault::new(self.place, "this is not valid JSON; correct it and try again")
    }
}

fn is_json_number(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    let split = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let (whole, rest) = text.split_at(split(text));
    if whole.is_empty() || (whole.len() > 1 && whole.starts_with('0')) {
        return false;
    }
    let rest = match rest.strip_prefix('.') {
        Some(fraction) if split(fraction) > 0 => fraction.get(split(fraction)..).unwrap_or_default(),
        Some(_) => return false,
        None => rest,
    };
    match rest.strip_prefix(['e', 'E']) {
        Some(power) => {
            let power = power.strip_prefix(['+', '-']).unwrap_or(power);
            !power.is_empty() && split(power) == power.len()
        }
        None => rest.is_empty(),
    }
}
