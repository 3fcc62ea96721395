//! Spans of time as kubectl and coreutils write them.

use std::time::Duration;

/// `300s`, `5m`, `1h30m`, `1.5h`, `0`: Go's `time.ParseDuration`, which kubectl uses. The flag says whether it is negative.
pub(crate) fn go(text: &str) -> Option<(Duration, bool)> {
    let (text, is_negative) = text.strip_prefix('-').map_or((text, false), |text| (text, true));
    if text == "0" {
        return Some((Duration::ZERO, is_negative));
    }
    let mut total = Duration::ZERO;
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, tail) = rest.split_at(end);
        let end = tail.find(|c: char| c.is_ascii_digit()).unwrap_or(tail.len());
        let (unit, tail) = tail.split_at(end);
        let seconds = match unit {
            "ns" => 1e-9,
            "us" | "µs" => 1e-6,
            "ms" => 1e-3,
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3600.0,
            _ => return None,
        };
        total =
            total.checked_add(Duration::try_from_secs_f64(number.parse::<f64>().ok()? * seconds).ok()?)?;
        rest = tail;
    }
    (!text.is_empty()).then_some((total, is_negative))
}

/// `60`, `2m`, `0.5`: what `timeout` of coreutils takes.
pub(super) fn coreutils(text: &str) -> Option<Duration> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let seconds = match unit {
        "" | "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        "d" => 86400.0,
        _ => return None,
    };
    Duration::try_from_secs_f64(number.parse::<f64>().ok()? * seconds).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_as_the_programs_do() {
        let seconds = |text: &str| go(text).map(|(d, negative)| (d.as_secs_f64(), negative));
        assert_eq!(seconds("300s"), Some((300.0, false)));
        assert_eq!(seconds("1h30m"), Some((5400.0, false)));
        assert_eq!(seconds("1.5m"), Some((90.0, false)));
        assert_eq!(seconds("-1s"), Some((1.0, true)));
        assert_eq!(seconds("0"), Some((0.0, false)));
        for wrong in ["", "300", "5 m", "x", "1y"] {
            assert_eq!(go(wrong), None, "{wrong}");
        }
        assert_eq!(coreutils("60"), Some(Duration::from_mins(1)));
        assert_eq!(coreutils("2m"), Some(Duration::from_mins(2)));
        assert_eq!(coreutils("x"), None);
    }
}
