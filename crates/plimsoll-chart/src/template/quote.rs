//! Quoted texts as Go's `strconv` writes and reads them.

use std::fmt::Write;

/// A text in double quotes: `strconv.Quote`.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        push_escaped(&mut quoted, character, '"');
    }
    quoted.push('"');
    quoted
}

/// A character in single quotes: `strconv.QuoteRune`.
pub(crate) fn quoted_character(character: char) -> String {
    let mut quoted = String::from("'");
    push_escaped(&mut quoted, character, '\'');
    quoted.push('\'');
    quoted
}

fn push_escaped(quoted: &mut String, character: char, quote: char) {
    match character {
        '\\' => quoted.push_str("\\\\"),
        '\u{7}' => quoted.push_str("\\a"),
        '\u{8}' => quoted.push_str("\\b"),
        '\u{C}' => quoted.push_str("\\f"),
        '\n' => quoted.push_str("\\n"),
        '\r' => quoted.push_str("\\r"),
        '\t' => quoted.push_str("\\t"),
        '\u{B}' => quoted.push_str("\\v"),
        _ if character == quote => quoted.extend(['\\', quote]),
        ' '..='~' => quoted.push(character),
        '\x7F'.. if is_printable(character) => quoted.push(character),
        _ => push_number(quoted, u32::from(character)),
    }
}

fn push_number(quoted: &mut String, code: u32) {
    let _ = match code {
        0..=0x7F => write!(quoted, "\\x{code:02x}"),
        0x80..=0xFFFF => write!(quoted, "\\u{code:04x}"),
        _ => write!(quoted, "\\U{code:08x}"),
    };
}

/// Whether a character outside ASCII has a picture: Go's `unicode.IsPrint`.
pub(crate) fn is_printable(character: char) -> bool {
    // Rust escapes combining marks at the start of a text only, and what cannot be printed everywhere.
    let mut text = String::from("a");
    text.push(character);
    let mut shown = text.escape_debug();
    shown.nth(1) == Some(character)
}

/// What a quoted text or raw text stands for: `strconv.Unquote`.
pub(crate) fn unquoted(text: &str) -> Option<String> {
    if let Some(raw) = text.strip_prefix('`').and_then(|rest| rest.strip_suffix('`')) {
        return (!raw.contains('`')).then(|| raw.replace('\r', ""));
    }
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    if !inner.contains('\\') {
        return Some(inner.to_owned());
    }
    let mut bytes = Vec::with_capacity(inner.len());
    let mut rest = inner;
    while !rest.is_empty() {
        let (unit, tail) = unit(rest, '"')?;
        unit.push_to(&mut bytes);
        rest = tail;
    }
    Some(
        String::from_utf8(bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
    )
}

/// The character of a character constant such as `'a'`; an error if there are several, `None` if there is none.
pub(crate) fn unquoted_character(text: &str) -> Option<Result<char, ()>> {
    let inner = text.strip_prefix('\'').filter(|inner| !inner.starts_with('\''))?;
    let (unit, tail) = unit(inner, '\'')?;
    Some(if tail == "'" { Ok(unit.character()) } else { Err(()) })
}

/// A character or, written as a number of two or three digits, a byte.
enum Unit {
    Character(char),
    Byte(u8),
}

impl Unit {
    fn push_to(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::Character(character) => bytes.extend(character.encode_utf8(&mut [0; 4]).bytes()),
            Self::Byte(byte) => bytes.push(*byte),
        }
    }

    fn character(&self) -> char {
        match self {
            Self::Character(character) => *character,
            Self::Byte(byte) => char::from(*byte),
        }
    }
}

fn unit(text: &str, quote: char) -> Option<(Unit, &str)> {
    let mut characters = text.chars();
    let first = characters.next()?;
    if first != '\\' {
        return (first != '\n').then_some((Unit::Character(first), characters.as_str()));
    }
    let plain = match characters.next()? {
        'a' => '\u{7}',
        'b' => '\u{8}',
        'f' => '\u{C}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'v' => '\u{B}',
        '\\' => '\\',
        escaped if escaped == quote => quote,
        'x' => return digits(characters.as_str(), 2, 16).and_then(byte),
        'u' => return digits(characters.as_str(), 4, 16).and_then(character),
        'U' => return digits(characters.as_str(), 8, 16).and_then(character),
        '0'..='7' => return digits(text.get(1..)?, 3, 8).and_then(byte),
        _ => return None,
    };
    Some((Unit::Character(plain), characters.as_str()))
}

fn digits(text: &str, count: usize, radix: u32) -> Option<(u32, &str)> {
    let (digits, rest) = text.split_at_checked(count)?;
    let value = u32::from_str_radix(digits, radix).ok()?;
    (!digits.starts_with('+')).then_some((value, rest))
}

fn byte((value, rest): (u32, &str)) -> Option<(Unit, &str)> {
    Some((Unit::Byte(u8::try_from(value).ok()?), rest))
}

fn character((value, rest): (u32, &str)) -> Option<(Unit, &str)> {
    Some((Unit::Character(char::from_u32(value)?), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_quoted_reads_back() {
        for text in ["", "a\"b", "\u{7}\u{1b}\n\t\\", "ä€😀", "\u{200b}\u{e000}", "e\u{301}"] {
            assert_eq!(unquoted(&quoted(text)).as_deref(), Some(text), "{text:?}");
        }
        assert_eq!(quoted("\u{1b}ä\u{200b}"), r#""\x1bä\u200b""#);
        assert_eq!(unquoted("`a\\n\r`").as_deref(), Some("a\\n"));
        assert_eq!(unquoted(r#""\q""#), None);
        assert_eq!(unquoted(r#""\303\244""#).as_deref(), Some("ä"));
        assert_eq!(unquoted_character(r"'\n'"), Some(Ok('\n')));
        assert_eq!(unquoted_character("'ab'"), Some(Err(())));
        assert_eq!(unquoted_character("''"), None);
    }
}
