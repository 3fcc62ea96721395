//! The value a scalar stands for: YAML 1.1 as go-yaml v2 resolves it (`go.yaml.in/yaml/v2` v2.4.3, `resolve.go`).

use super::number::{float, number};
use super::timestamp::is_timestamp;
use plimsoll_model::Value;

const PREFIX: &str = "tag:yaml.org,2002:";
const MISMATCH: &str = "a value does not fit its tag";

/// A text that is owned or borrowed; a borrowed one is copied only where the value is text.
pub(super) trait Text: AsRef<str> + Into<Box<str>> {}

impl<T: AsRef<str> + Into<Box<str>>> Text for T {}

/// The value of a scalar with its text, its tag as resolved by the scanner, and whether it was written plain.
pub(super) fn resolve(text: impl Text, tag: Option<&str>, is_plain: bool) -> Result<Value, &'static str> {
    let Some(tag) = tag else {
        return Ok(if is_plain { plain(text) } else { Value::Text(text.into()) });
    };
    match tag.strip_prefix(PREFIX) {
        Some("binary") => base64_text(text.as_ref()).map(Value::Text).ok_or(BROKEN),
        Some(kind @ ("bool" | "int" | "float" | "null" | "timestamp")) => tagged(text, kind),
        _ => Ok(Value::Text(text.into())),
    }
}

/// Whether a plain text stands for itself, and not for a number, a time, a truth value, null or a merge.
#[must_use]
pub fn is_text(plain: &str) -> bool {
    plain != "<<" && !is_timestamp(plain) && meant(plain).is_none()
}

fn tagged(text: impl Text, kind: &str) -> Result<Value, &'static str> {
    let is_time = is_timestamp(text.as_ref());
    if kind == "timestamp" {
        return if is_time { Ok(Value::Text(text.into())) } else { Err(MISMATCH) };
    }
    let value = untimed(text);
    match (kind, &value) {
        ("bool", Value::Bool(_))
        | ("int", Value::Int(_) | Value::Uint(_))
        | ("float", Value::Float(_))
        | ("null", Value::Null) => Ok(value),
        #[expect(clippy::cast_precision_loss, reason = "go-yaml converts in the same way")]
        ("float", Value::Int(whole)) => Ok(Value::Float(*whole as f64)),
        _ => Err(MISMATCH),
    }
}

fn plain(text: impl Text) -> Value {
    // A time can be mistaken for nothing but a number: both begin with a digit.
    let first_is_digit = text.as_ref().as_bytes().first().is_some_and(u8::is_ascii_digit);
    if first_is_digit && is_timestamp(text.as_ref()) { Value::Text(text.into()) } else { untimed(text) }
}

fn untimed(text: impl Text) -> Value {
    meant(text.as_ref()).unwrap_or_else(|| Value::Text(text.into()))
}

/// What a text stands for that is not itself.
fn meant(text: &str) -> Option<Value> {
    match text.as_bytes().first() {
        None => Some(Value::Null),
        Some(b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O' | b'~') => word(text),
        Some(b'.') => dotted(text).or_else(|| float(text)),
        Some(b'+' | b'-') => dotted(text).or_else(|| number(text)),
        Some(b'0'..=b'9') => number(text),
        Some(_) => None,
    }
}

fn word(text: &str) -> Option<Value> {
    match text {
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => {
            Some(Value::Bool(true))
        }
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            Some(Value::Bool(false))
        }
        "~" | "null" | "Null" | "NULL" => Some(Value::Null),
        _ => None,
    }
}

fn dotted(text: &str) -> Option<Value> {
    match text {
        ".nan" | ".NaN" | ".NAN" => Some(Value::Float(f64::NAN)),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => Some(Value::Float(f64::INFINITY)),
        "-.inf" | "-.Inf" | "-.INF" => Some(Value::Float(f64::NEG_INFINITY)),
        _ => None,
    }
}

const BROKEN: &str = "a !!binary value is not base64";

/// The text that standard base64 stands for, line breaks allowed.
#[must_use]
pub fn base64_text(text: &str) -> Option<Box<str>> {
    let digits: Vec<u8> = text.bytes().filter(|byte| !matches!(byte, b'\n' | b'\r')).collect();
    if !digits.len().is_multiple_of(4) {
        return None;
    }
    let padding = digits.iter().rev().take_while(|digit| **digit == b'=').count();
    let body = digits.get(..digits.len() - padding).unwrap_or_default();
    if padding > 2 {
        return None;
    }
    let mut bytes = Vec::with_capacity(body.len());
    for quad in body.chunks(4) {
        let mut bits = 0u32;
        for digit in quad {
            bits = bits << 6 | sextet(*digit)?;
        }
        bits <<= 6 * (4 - quad.len());
        let [_, first, second, third] = bits.to_be_bytes();
        bytes.extend([first, second, third].into_iter().take(quad.len() - 1));
    }
    Some(String::from_utf8_lossy(&bytes).into())
}

fn sextet(digit: u8) -> Option<u32> {
    let value = match digit {
        b'A'..=b'Z' => digit - b'A',
        b'a'..=b'z' => digit - b'a' + 26,
        b'0'..=b'9' => digit - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(u32::from(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, tag: Option<&str>, expect: Value) {
        assert_eq!(resolve(text.to_owned(), tag, true), Ok(expect), "{text}");
    }

    fn text(text: &str) -> Value {
        Value::Text(text.into())
    }

    #[test]
    fn plain_words_are_those_of_yaml_1_1() {
        check("on", None, Value::Bool(true));
        check("N", None, Value::Bool(false));
        check("", None, Value::Null);
        check("~", None, Value::Null);
        check("oN", None, text("oN"));
        check("2001-01-01", None, text("2001-01-01"));
        check("0b1", None, Value::Int(1));
    }

    #[test]
    fn some_texts_need_no_quotes() {
        for plain in ["a", "1.2.3", "-", "yess", "1e400"] {
            assert!(is_text(plain), "{plain}");
        }
        for plain in ["", "<<", "on", "2001-01-01", "0x1", ".5", "~"] {
            assert!(!is_text(plain), "{plain}");
        }
    }

    #[test]
    fn quoted_text_stays_text() {
        assert_eq!(resolve("yes".to_owned(), None, false), Ok(text("yes")));
    }

    #[test]
    fn tags_decide() {
        check("5", Some("tag:yaml.org,2002:str"), text("5"));
        check("5", Some("tag:yaml.org,2002:float"), Value::Float(5.0));
        check("aGVsbG8=", Some("tag:yaml.org,2002:binary"), text("hello"));
        check("5", Some("!mine"), text("5"));
        check("5", Some("!"), text("5"));
        assert!(resolve("x".to_owned(), Some("tag:yaml.org,2002:int"), true).is_err());
        assert!(resolve("a".to_owned(), Some("tag:yaml.org,2002:binary"), true).is_err());
    }
}
