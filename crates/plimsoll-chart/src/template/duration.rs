//! Spans of time as Go's `time.Duration` prints and reads them.

const UNITS: [(&str, i64); 8] = [
    ("ns", 1),
    ("us", 1_000),
    ("µs", 1_000),
    ("μs", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("m", 60_000_000_000),
    ("h", 3_600_000_000_000),
];

/// `1h2m3.5s`
pub(crate) fn shown(nanoseconds: i64) -> String {
    let sign = if nanoseconds < 0 { "-" } else { "" };
    let all = nanoseconds.unsigned_abs();
    let text = match all {
        0 => return "0s".to_owned(),
        1..1_000 => format!("{all}ns"),
        1_000..1_000_000 => fraction(all, 1_000) + "µs",
        1_000_000..1_000_000_000 => fraction(all, 1_000_000) + "ms",
        _ => {
            let (minutes, seconds) = (all / 60_000_000_000, all % 60_000_000_000);
            let seconds = fraction(seconds, 1_000_000_000) + "s";
            match (minutes / 60, minutes % 60) {
                (0, 0) => seconds,
                (0, minutes) => format!("{minutes}m{seconds}"),
                (hours, minutes) => format!("{hours}h{minutes}m{seconds}"),
            }
        }
    };
    format!("{sign}{text}")
}

fn fraction(all: u64, unit: u64) -> String {
    let width = unit.ilog10() as usize;
    let digits = format!("{:0width$}", all % unit);
    match digits.trim_end_matches('0') {
        "" => (all / unit).to_string(),
        digits => format!("{}.{digits}", all / unit),
    }
}

/// `time.ParseDuration`.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "fractions of nanoseconds are dropped, and the sum is checked"
)]
pub(crate) fn parse(text: &str) -> Option<i64> {
    let (sign, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    if rest == "0" {
        return Some(0);
    }
    let mut sum = 0i64;
    let mut is_empty = true;
    while !rest.is_empty() {
        let count = rest.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
        let (number, tail) = rest.split_at(count);
        let length = tail.find(|next: char| next == '.' || next.is_ascii_digit()).unwrap_or(tail.len());
        let (name, tail) = tail.split_at(length);
        let (_, unit) = UNITS.iter().find(|(known, _)| *known == name)?;
        let (whole, part) = number.split_once('.').unwrap_or((number, ""));
        if whole.is_empty() && part.is_empty() {
            return None;
        }
        let whole: i64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
        let part: f64 = if part.is_empty() { 0.0 } else { format!("0.{part}").parse().ok()? };
        sum = sum.checked_add(whole.checked_mul(*unit)?)?.checked_add((part * *unit as f64) as i64)?;
        rest = tail;
        is_empty = false;
    }
    (!is_empty).then_some(sign * sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_read_back_as_printed() {
        for text in ["0s", "1ns", "1.5µs", "2ms", "1m0s", "1h2m3.5s", "-2h0m0s", "720h0m0s"] {
            assert_eq!(parse(text).map(shown).as_deref(), Some(text));
        }
        assert_eq!(parse("1d"), None);
        assert_eq!(parse(""), None);
        assert_eq!(parse("-.5s"), Some(-500_000_000));
    }
}
