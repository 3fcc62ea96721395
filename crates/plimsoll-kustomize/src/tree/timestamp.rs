//! Times, which kustomize prints in another way than they are written.

/// A text that is a time, as Go's `time.Time` is printed in JSON. The forms are those of `parseTimestamp` in
/// `go.yaml.in/yaml/v3` v3.0.3, `resolve.go`.
pub(super) fn timestamp(text: &str) -> Option<String> {
    let (date, rest) = match text.find(['T', 't', ' ']) {
        Some(at) => (text.get(..at)?, text.get(at..)?),
        None => (text, ""),
    };
    let date = date_of(date)?;
    if rest.is_empty() {
        return Some(format!("{date}T00:00:00Z"));
    }
    let (separator, clock) = rest.split_at_checked(1)?;
    let (clock, zone) = match clock.find(['Z', '+', '-']) {
        Some(at) => clock.split_at_checked(at)?,
        None => (clock, ""),
    };
    // With a space there is no zone; with a letter there must be one.
    let zone = match (separator, zone) {
        (" ", "") | ("T" | "t", "Z") => "Z",
        ("T" | "t", zone) if is_offset(zone) => zone,
        _ => return None,
    };
    Some(format!("{date}T{}{zone}", clock_of(clock)?))
}

fn date_of(text: &str) -> Option<String> {
    let mut parts = text.split('-');
    let (year, month, day) = (parts.next()?, number(parts.next()?, 2)?, number(parts.next()?, 2)?);
    let year_value = number(year, 4)?;
    let is_leap = year_value % 4 == 0 && (year_value % 100 != 0 || year_value % 400 == 0);
    let days = match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    let is_sound = parts.next().is_none() && year.len() == 4 && (1..=days).contains(&day);
    is_sound.then(|| format!("{year}-{month:02}-{day:02}"))
}

fn clock_of(text: &str) -> Option<String> {
    let (whole, fraction) = text.split_once('.').map_or((text, None), |(whole, rest)| (whole, Some(rest)));
    let mut parts = whole.split(':');
    let mut next = || number(parts.next()?, 2);
    let (hour, minute, second) = (next()?, next()?, next()?);
    if parts.next().is_some() || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let fraction = match fraction {
        None => String::new(),
        Some(digits) if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            return None;
        }
        Some(digits) => {
            let kept = digits.get(..digits.len().min(9))?.trim_end_matches('0');
            if kept.is_empty() { String::new() } else { format!(".{kept}") }
        }
    };
    Some(format!("{hour:02}:{minute:02}:{second:02}{fraction}"))
}

fn is_offset(zone: &str) -> bool {
    let digits = zone.get(1..).unwrap_or_default();
    let parts = digits.split_once(':').map(|(hours, minutes)| (number(hours, 2), number(minutes, 2)));
    digits.len() == 5 && matches!(parts, Some((Some(0..=24), Some(0..=59))))
}

fn number(text: &str, most: usize) -> Option<u32> {
    let is_sound = (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_sound { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_printed_in_full() {
        for (text, printed) in [
            ("2024-01-01", "2024-01-01T00:00:00Z"),
            ("2024-1-2", "2024-01-02T00:00:00Z"),
            ("2024-01-01T01:02:03Z", "2024-01-01T01:02:03Z"),
            ("2024-01-01t01:02:03.50+02:00", "2024-01-01T01:02:03.5+02:00"),
            ("2024-02-29 1:2:3", "2024-02-29T01:02:03Z"),
        ] {
            assert_eq!(timestamp(text).as_deref(), Some(printed), "{text}");
        }
        for text in ["2023-02-29", "24-01-01", "2024-13-01", "12:30:45", "2024-01-01T01:02:03", "2024"] {
            assert_eq!(timestamp(text), None, "{text}");
        }
    }
}
