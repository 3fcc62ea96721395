//! Floating point numbers as Go's `strconv.FormatFloat` and `encoding/json` write them.

/// The form of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// `%e`
    Exponent,
    /// `%f`
    Plain,
    /// `%g`: whichever is shorter.
    Short,
    /// `%x`: hexadecimal digits and a power of two; always as many as it takes.
    Binary,
}

/// A number with a count of digits, or as many as it takes to read back the same number.
pub(crate) fn float(value: f64, form: Form, precision: Option<usize>) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "+Inf" } else { "-Inf" }.to_owned();
    }
    match (form, precision) {
        (Form::Binary, _) => binary(value),
        (Form::Exponent, None) => exponent_form(&format!("{value:e}")),
        (Form::Exponent, Some(precision)) => exponent_form(&format!("{value:.precision$e}")),
        (Form::Plain, None) => format!("{value}"),
        (Form::Plain, Some(precision)) => format!("{value:.precision$}"),
        (Form::Short, None) => short(&format!("{value:e}"), None),
        (Form::Short, Some(precision)) => {
            let precision = precision.max(1);
            short(&format!("{value:.*e}", precision - 1), Some(precision))
        }
    }
}

/// As `%v` and `print` show a number.
pub(crate) fn shown(value: f64) -> String {
    float(value, Form::Short, None)
}

/// As JSON writes a number.
pub(crate) fn json(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 || (1e-6..1e21).contains(&size) {
        return float(value, Form::Plain, None);
    }
    let text = float(value, Form::Exponent, None);
    match text.split_once("e-0") {
        Some((digits, power)) => format!("{digits}e-{power}"),
        None => text,
    }
}

/// Rust's `1.5e7` as Go's `1.5e+07`.
fn exponent_form(text: &str) -> String {
    let (digits, power) = text.split_once('e').unwrap_or((text, "0"));
    let power: i32 = power.parse().unwrap_or_default();
    let sign = if power < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", power.unsigned_abs())
}

fn short(scientific: &str, precision: Option<usize>) -> String {
    let (mantissa, power) = scientific.split_once('e').unwrap_or((scientific, "0"));
    let power: i32 = power.parse().unwrap_or_default();
    let (sign, mantissa) = match mantissa.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", mantissa),
    };
    let all: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let digits = all.trim_end_matches('0');
    let count = i32::try_from(digits.len()).unwrap_or(i32::MAX);
    let digits = if digits.is_empty() { "0" } else { digits };
    let point = if count == 0 { 0 } else { power + 1 };
    let threshold = match precision {
        None => 6,
        Some(precision) => {
            let precision = i32::try_from(precision).unwrap_or(i32::MAX);
            if precision > count && count >= point { count } else { precision }
        }
    };
    if point - 1 < -4 || point > threshold {
        let rest = digits.get(1..).unwrap_or_default();
        let fraction = if rest.is_empty() { String::new() } else { format!(".{rest}") };
        let first = digits.get(..1).unwrap_or("0");
        return exponent_form(&format!("{sign}{first}{fraction}e{power}"));
    }
    format!("{sign}{}", placed(digits, point))
}

fn binary(value: f64) -> String {
    let bits = value.to_bits();
    let sign = if bits >> 63 == 1 { "-" } else { "" };
    if value == 0.0 {
        return format!("{sign}0x0p+00");
    }
    let mut fraction = bits & ((1 << 52) - 1);
    let mut power = i64::try_from((bits >> 52) & 0x7FF).unwrap_or_default() - 1023;
    if power == -1023 {
        // A number below the normal ones is shifted until its first digit is 1.
        let shift = i64::from(fraction.leading_zeros()) - 11;
        fraction = (fraction << shift) & ((1 << 52) - 1);
        power = -1022 - shift;
    }
    let digits = format!("{fraction:013x}");
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    let power_sign = if power < 0 { '-' } else { '+' };
    format!("{sign}0x1{point}{digits}p{power_sign}{:02}", power.unsigned_abs())
}

/// Digits with a decimal point at a position.
fn placed(digits: &str, point: i32) -> String {
    let Ok(whole) = usize::try_from(point) else {
        let zeros = "0".repeat(point.unsigned_abs() as usize);
        return format!("0.{zeros}{digits}");
    };
    if digits == "0" {
        return "0".to_owned();
    }
    match digits.split_at_checked(whole) {
        Some((whole, "")) => whole.to_owned(),
        Some(("", fraction)) => format!("0.{fraction}"),
        Some((whole, fraction)) => format!("{whole}.{fraction}"),
        None => format!("{digits}{}", "0".repeat(whole - digits.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_look_as_in_go() {
        for (value, expect) in [
            (1.0, "1"),
            (0.0, "0"),
            (-0.0, "-0"),
            (100_000.0, "100000"),
            (1_000_000.0, "1e+06"),
            (1_234_567.0, "1.234567e+06"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (123_456.789, "123456.789"),
            (-1.5, "-1.5"),
            (1e21, "1e+21"),
        ] {
            assert_eq!(shown(value), expect);
        }
        assert_eq!(json(1e21), "1e+21");
        assert_eq!(json(1e-7), "1e-7");
        assert_eq!(json(1_000_000.0), "1000000");
        assert_eq!(float(3.0, Form::Short, Some(3)), "3");
        assert_eq!(float(1234.5, Form::Short, Some(3)), "1.23e+03");
        assert_eq!(float(100.0, Form::Short, Some(3)), "100");
        assert_eq!(float(0.5, Form::Plain, Some(0)), "0");
    }
}
