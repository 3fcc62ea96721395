//! Numbers as go-yaml v2 reads and prints them.

use plimsoll_model::Value;

/// The number a plain text stands for; underscores do not count.
#[must_use]
pub fn number(text: &str) -> Option<Value> {
    let bare;
    let text = if text.contains('_') {
        bare = text.replace('_', "");
        &bare
    } else {
        text
    };
    integer(text).or_else(|| is_float(text).then(|| float(text)).flatten())
}

/// A finite floating point number; go-yaml leaves what overflows as text.
pub(super) fn float(text: &str) -> Option<Value> {
    let starts_like_one = text.starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first));
    let value = text.parse::<f64>().ok().filter(|value| value.is_finite() && starts_like_one)?;
    Some(Value::Float(value))
}

/// Go's `strconv.ParseInt` and then `ParseUint`, both with base 0.
fn integer(text: &str) -> Option<Value> {
    let (is_signed, is_negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, true, text.get(1..)?),
        b'+' => (true, false, text.get(1..)?),
        _ => (false, false, text),
    };
    let (radix, digits) = radix(digits);
    if digits.is_empty() || digits.starts_with(['+', '-']) {
        return None;
    }
    let value = u64::from_str_radix(digits, radix).ok()?;
    if is_negative {
        return 0i64.checked_sub_unsigned(value).map(Value::Int);
    }
    match i64::try_from(value) {
        Ok(value) => Some(Value::Int(value)),
        Err(_) => (!is_signed).then_some(Value::Uint(value)),
    }
}

fn radix(digits: &str) -> (u32, &str) {
    let (Some(rest), true) = (digits.strip_prefix('0'), digits.len() > 1) else {
        return (10, digits);
    };
    match rest.split_at_checked(1) {
        Some(("x" | "X", tail)) => (16, tail),
        Some(("o" | "O", tail)) => (8, tail),
        Some(("b" | "B", tail)) => (2, tail),
        _ => (8, rest),
    }
}

/// `^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`
fn is_float(text: &str) -> bool {
    let text = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (whole, rest) = digits(text);
    let rest = match rest.strip_prefix('.') {
        Some(tail) => {
            let (fraction, rest) = digits(tail);
            if whole.is_empty() && fraction.is_empty() {
                return false;
            }
            rest
        }
        None if whole.is_empty() => return false,
        None => rest,
    };
    let Some(exponent) = rest.strip_prefix(['e', 'E']) else {
        return rest.is_empty();
    };
    let (power, rest) = digits(exponent.strip_prefix(['-', '+']).unwrap_or(exponent));
    !power.is_empty() && rest.is_empty()
}

fn digits(text: &str) -> (&str, &str) {
    let count = text.bytes().take_while(u8::is_ascii_digit).count();
    text.split_at(count)
}

/// What a number becomes on its way through JSON: one without a fraction is a whole number for Kubernetes.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "the number is whole and its bounds are checked"
)]
#[must_use]
pub fn settle(value: f64) -> Value {
    let is_whole = value.fract() == 0.0 && value >= i64::MIN as f64 && value < i64::MAX as f64;
    if is_whole { Value::Int(value as i64) } else { Value::Float(value) }
}

/// A number as a map key: Go's `strconv.FormatFloat(value, 'g', -1, 32)`, with go-yaml's names for the endless ones.
#[expect(clippy::cast_possible_truncation, reason = "sigs.k8s.io/yaml prints keys with 32 bits")]
pub(super) fn key_text(value: f64) -> String {
    let short = value as f32;
    if short.is_nan() {
        return ".nan".to_owned();
    }
    if short.is_infinite() {
        return if short > 0.0 { ".inf" } else { "-.inf" }.to_owned();
    }
    let scientific = format!("{short:e}");
    let Some((digits, power)) = scientific.split_once('e') else {
        return scientific;
    };
    match power.parse::<i32>() {
        Ok(power) if power < -4 => format!("{digits}e-{:02}", power.unsigned_abs()),
        Ok(power) if power >= 6 => format!("{digits}e+{power:02}"),
        _ => format!("{short}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_have_the_bases_of_go() {
        for (text, value) in [
            ("0644", 420),
            ("0x1F", 31),
            ("0o17", 15),
            ("0b11", 3),
            ("-0b11", -3),
            ("1_000", 1000),
            ("-0", 0),
        ] {
            assert_eq!(number(text), Some(Value::Int(value)), "{text}");
        }
        assert_eq!(number("18446744073709551615"), Some(Value::Uint(u64::MAX)));
        assert_eq!(number("-9223372036854775808"), Some(Value::Int(i64::MIN)));
    }

    #[test]
    fn floats_follow_the_pattern_of_go_yaml() {
        assert_eq!(number("08"), Some(Value::Float(8.0)));
        assert_eq!(number("1."), Some(Value::Float(1.0)));
        assert_eq!(number("6.8523015e+5"), Some(Value::Float(685_230.15)));
        for text in ["1e400", "190:20:30", "1e", "+", "0x", "1.2.3", "--1"] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    #[test]
    fn whole_floats_become_whole_numbers() {
        assert_eq!(settle(3.0), Value::Int(3));
        assert_eq!(settle(0.5), Value::Float(0.5));
        assert_eq!(settle(1e300), Value::Float(1e300));
    }

    #[test]
    fn keys_are_printed_with_32_bits() {
        assert_eq!(key_text(1.5), "1.5");
        assert_eq!(key_text(1e-7), "1e-07");
        assert_eq!(key_text(999_999.0), "999999");
        assert_eq!(key_text(1e6), "1e+06");
        assert_eq!(key_text(f64::INFINITY), ".inf");
    }
}
