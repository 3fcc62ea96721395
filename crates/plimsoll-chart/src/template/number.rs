//! Numbers as a template writes them: every type a constant can be taken for.

use super::quote::{quoted, unquoted_character};
use super::token::TokenKind;
use super::tree::Number;

/// Reads a number or a character constant; Go's error if it is none.
pub(super) fn number(text: &str, kind: TokenKind) -> Result<Number, String> {
    match kind {
        TokenKind::CharacterConstant => match unquoted_character(text) {
            Some(Ok(character)) => Ok(of_character(text, character)),
            Some(Err(())) => Err(format!("malformed character constant: {text}")),
            None => Err("invalid syntax".to_owned()),
        },
        TokenKind::Complex => Err(format!("complex numbers are not supported: {}", quoted(text))),
        _ if text.ends_with('i') => Err(format!("complex numbers are not supported: {}", quoted(text))),
        _ => plain(text),
    }
}

fn of_character(text: &str, character: char) -> Number {
    let code = u32::from(character);
    Number {
        text: text.into(),
        whole: Some(i64::from(code)),
        unsigned: Some(u64::from(code)),
        float: Some(f64::from(code)),
    }
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::float_cmp,
    reason = "Go converts in the same way, and checks that the value survives"
)]
fn plain(text: &str) -> Result<Number, String> {
    let mut number = Number { text: text.into(), whole: None, unsigned: None, float: None };
    number.unsigned = parse_unsigned(text);
    number.whole = parse_whole(text);
    if number.whole == Some(0) {
        number.unsigned = Some(0);
    }
    if let Some(whole) = number.whole {
        number.float = Some(whole as f64);
    } else if let Some(unsigned) = number.unsigned {
        number.float = Some(unsigned as f64);
    } else if let Some(float) = parse_float(text) {
        if !text.contains(['.', 'e', 'E', 'p', 'P']) {
            return Err(format!("integer overflow: {}", quoted(text)));
        }
        number.float = Some(float);
        number.whole = Some(float as i64).filter(|whole| *whole as f64 == float);
        number.unsigned = Some(float as u64).filter(|unsigned| *unsigned as f64 == float);
    } else {
        return Err(format!("illegal number syntax: {}", quoted(text)));
    }
    Ok(number)
}

/// `strconv.ParseInt` with base 0.
pub(crate) fn parse_whole(text: &str) -> Option<i64> {
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let value = parse_unsigned(digits)?;
    if is_negative { 0i64.checked_sub_unsigned(value) } else { i64::try_from(value).ok() }
}

/// `strconv.ParseUint` with base 0.
fn parse_unsigned(text: &str) -> Option<u64> {
    let (radix, digits) = match text.get(..2).map(str::to_ascii_lowercase).as_deref() {
        Some("0x") => (16, text.get(2..)?),
        Some("0o") => (8, text.get(2..)?),
        Some("0b") => (2, text.get(2..)?),
        _ if text.starts_with('0') && text.len() > 1 => (8, text.get(1..)?),
        _ => (10, text),
    };
    if digits.starts_with('+') || !underscores_separate(text) {
        return None;
    }
    u64::from_str_radix(&digits.replace('_', ""), radix).ok()
}

/// Underscores stand only between digits, or behind a base prefix.
fn underscores_separate(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text).to_ascii_lowercase();
    let prefix = digits.get(..2).filter(|prefix| matches!(*prefix, "0x" | "0o" | "0b"));
    let is_digit = |next: char| next.is_ascii_digit() || prefix == Some("0x") && next.is_ascii_hexdigit();
    let mut is_behind_digit = prefix.is_some();
    let mut is_behind_underscore = false;
    for next in digits.chars().skip(prefix.map_or(0, str::len)) {
        let is_misplaced =
            if next == '_' { !is_behind_digit } else { is_behind_underscore && !is_digit(next) };
        if is_misplaced {
            return false;
        }
        is_behind_digit = is_digit(next);
        is_behind_underscore = next == '_';
    }
    !is_behind_underscore
}

/// `strconv.ParseFloat`: decimal, or hexadecimal with a binary exponent.
pub(crate) fn parse_float(text: &str) -> Option<f64> {
    if !underscores_separate(text) {
        return None;
    }
    let lower = text.to_ascii_lowercase().replace('_', "");
    let (sign, digits) = match lower.strip_prefix('-') {
        Some(digits) => (-1.0, digits),
        None => (1.0, lower.strip_prefix('+').unwrap_or(&lower)),
    };
    if let Some(hexadecimal) = digits.strip_prefix("0x") {
        return hexadecimal_float(hexadecimal).map(|value| sign * value);
    }
    let value: f64 = lower.parse().ok()?;
    (value.is_finite() || lower.contains("inf") || lower.contains("nan")).then_some(value)
}

fn hexadecimal_float(text: &str) -> Option<f64> {
    let (digits, exponent) = text.split_once('p')?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let mut value = 0.0;
    for digit in whole.chars().chain(fraction.chars()) {
        value = value * 16.0 + f64::from(digit.to_digit(16)?);
    }
    let places = i32::try_from(fraction.len()).ok()?.checked_mul(4)?;
    Some(value * 2f64.powi(exponent.parse::<i32>().ok()?.checked_sub(places)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn underscores_may_separate_digits() {
        assert_eq!(parse_float("1_00.0"), Some(100.0));
        assert_eq!(parse_float("0x_1p4"), Some(16.0));
        assert_eq!(parse_whole("-1_000"), Some(-1000));
        for text in ["1_", "_1", "1__0", "1_.5", "1e_5"] {
            assert_eq!(parse_float(text), None, "{text}");
        }
    }
}
