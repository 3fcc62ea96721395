//! Durations as people write them: `400ms`, `2.5s`, `2m3s`.

use std::time::Duration;

/// The duration in the largest units that say it.
pub(super) fn spoken(duration: Duration) -> String {
    let seconds = duration.as_secs();
    let tenths = duration.subsec_millis() / 100;
    match seconds {
        0 if duration.subsec_millis() > 0 => format!("{}ms", duration.subsec_millis()),
        0..10 if tenths > 0 => format!("{seconds}.{tenths}s"),
        0..60 => format!("{seconds}s"),
        60..3600 => in_units(&[(seconds / 60, "m"), (seconds % 60, "s")]),
        _ => in_units(&[(seconds / 3600, "h"), (seconds % 3600 / 60, "m"), (seconds % 60, "s")]),
    }
}

fn in_units(amounts: &[(u64, &str)]) -> String {
    let said = amounts.iter().filter(|(amount, _)| *amount > 0);
    said.map(|(amount, unit)| format!("{amount}{unit}")).collect::<Vec<_>>().concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_said_in_the_largest_units() {
        let cases = [
            (0, "0s"),
            (400, "400ms"),
            (2_500, "2.5s"),
            (12_500, "12s"),
            (60_000, "1m"),
            (123_000, "2m3s"),
            (3_600_000, "1h"),
            (3_723_000, "1h2m3s"),
        ];
        for (milliseconds, expected) in cases {
            assert_eq!(spoken(Duration::from_millis(milliseconds)), expected);
        }
    }
}
