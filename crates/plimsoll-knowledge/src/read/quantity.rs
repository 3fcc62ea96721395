//! Amounts such as `500m` and `1Gi`, read and written as Kubernetes does.
//!
//! apimachinery v0.36.4 `pkg/api/resource/quantity.go`.

use plimsoll_model::{Node, Value};
use std::fmt;

/// An amount in billionths, and whether it is written with powers of 1024.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Quantity {
    nano: i128,
    is_binary: bool,
}

const ONE: i128 = 1_000_000_000;
const BINARY: [&str; 6] = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
/// Decimal suffixes from a billionth on, each a thousand times the one before.
const DECIMAL: [&str; 10] = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];

impl Quantity {
    /// Nothing at all.
    pub(crate) const ZERO: Self = Self { nano: 0, is_binary: false };

    /// A whole number.
    pub(crate) fn whole(number: i64) -> Self {
        Self { nano: i128::from(number) * ONE, is_binary: false }
    }

    /// The amount a field holds: text, or a plain number.
    pub(crate) fn of(node: &Node) -> Option<Self> {
        match &node.value {
            Value::Int(number) => Some(Self::whole(*number)),
            Value::Float(number) => Self::parse(&number.to_string()),
            Value::Text(text) => Self::parse(text),
            _ => None,
        }
    }

    fn parse(text: &str) -> Option<Self> {
        let (digits, suffix) =
            text.split_at(text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len()));
        let (factor, is_binary) = factor(suffix)?;
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let decimals = u32::try_from(fraction.len()).ok()?;
        let number: i128 = format!("{whole}{fraction}").parse().ok()?;
        let nano = number.checked_mul(factor)?.checked_div(10i128.checked_pow(decimals)?)?;
        Some(Self { nano, is_binary })
    }

    /// Both together, in the notation of the first unless that is nothing.
    pub(crate) fn plus(self, other: Self) -> Self {
        let is_binary = if self.nano == 0 { other.is_binary } else { self.is_binary };
        Self { nano: self.nano.saturating_add(other.nano), is_binary }
    }

    /// So many times as much.
    pub(crate) fn times(self, count: i64) -> Self {
        Self { nano: self.nano.saturating_mul(i128::from(count)), ..self }
    }

    /// Whether it is more than another amount.
    pub(crate) fn exceeds(self, other: Self) -> bool {
        self.nano > other.nano
    }

    /// How many times as much as another amount it is; none for a ratio to nothing.
    #[expect(clippy::cast_precision_loss, reason = "the API server compares ratios as floating point too")]
    pub(crate) fn ratio(self, other: Self) -> Option<f64> {
        (other.nano != 0).then(|| self.nano as f64 / other.nano as f64)
    }
}

fn factor(suffix: &str) -> Option<(i128, bool)> {
    if let Some(power) = BINARY.iter().position(|one| *one == suffix) {
        return Some((ONE << (10 * (power + 1)), true));
    }
    if let Some(power) = DECIMAL.iter().position(|one| *one == suffix) {
        return Some((1000i128.pow(u32::try_from(power).ok()?), false));
    }
    let exponent: u32 = suffix.strip_prefix(['e', 'E'])?.parse().ok()?;
    Some((ONE.checked_mul(10i128.checked_pow(exponent)?)?, false))
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_whole = self.nano % ONE == 0;
        let (unit, step, suffixes): (i128, i128, &[&str]) =
            if self.is_binary && is_whole && self.nano >= 1024 * ONE {
                (ONE, 1024, &["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"])
            } else {
                (1, 1000, &DECIMAL)
            };
        let mut number = self.nano / unit;
        let mut left = suffixes.iter();
        let mut suffix = left.next().unwrap_or(&"");
        while number != 0
            && number % step == 0
            && let Some(next) = left.next()
        {
            number /= step;
            suffix = next;
        }
        if number == 0 { f.write_str("0") } else { write!(f, "{number}{suffix}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_written_as_the_api_server_writes_them() {
        for (text, written) in [
            ("1536Mi", "1536Mi"),
            ("1024Mi", "1Gi"),
            ("2000m", "2"),
            ("0.1", "100m"),
            ("1e3", "1k"),
            ("1000", "1k"),
            ("512", "512"),
            ("1.5Gi", "1536Mi"),
            ("0", "0"),
        ] {
            assert_eq!(Quantity::parse(text).unwrap().to_string(), written, "{text}");
        }
        assert_eq!(Quantity::parse("512Mi").unwrap().times(3).to_string(), "1536Mi");
        assert!(Quantity::parse("1Gi").unwrap().exceeds(Quantity::parse("1G").unwrap()));
        for text in ["", "x", "1x", "Gi"] {
            assert!(Quantity::parse(text).is_none(), "{text}");
        }
    }
}
