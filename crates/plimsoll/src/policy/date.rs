//! A day of the calendar, and the one place that knows which is today.

use std::fmt;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

/// A day: year, month, day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Date(u32, u32, u32);

impl Date {
    /// Today, in UTC.
    pub(crate) fn today() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self::after_epoch(since.as_secs() / (24 * 60 * 60))
    }

    /// So many days after the first of January 1970.
    fn after_epoch(mut days: u64) -> Self {
        let mut year = 1970;
        while days >= length_of_year(year) {
            days -= length_of_year(year);
            year += 1;
        }
        let mut month = 1;
        while days >= u64::from(length_of_month(year, month)) {
            days -= u64::from(length_of_month(year, month));
            month += 1;
        }
        Self(year, month, u32::try_from(days).unwrap_or(0) + 1)
    }
}

fn is_leap(year: u32) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

fn length_of_year(year: u32) -> u64 {
    if is_leap(year) { 366 } else { 365 }
}

fn length_of_month(year: u32, month: u32) -> u32 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

impl FromStr for Date {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is no day; a day is written 2027-01-31");
        let number = |text: &str, length: usize| {
            let is_number = text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse::<u32>().ok().filter(|_| is_number).ok_or_else(wrong)
        };
        let [year, month, day] = *text.split('-').collect::<Vec<_>>().as_slice() else { return Err(wrong()) };
        let date = Self(number(year, 4)?, number(month, 2)?, number(day, 2)?);
        let is_one = (1..=12).contains(&date.1) && (1..=length_of_month(date.0, date.1)).contains(&date.2);
        is_one.then_some(date).ok_or_else(wrong)
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.0, self.1, self.2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_as_the_calendar_counts_them() {
        for (days, expected) in [
            (0, "1970-01-01"),
            (58, "1970-02-28"),
            (59, "1970-03-01"),
            (789, "1972-02-29"),
            (10_957, "2000-01-01"),
            (11_016, "2000-02-29"),
            (20_773, "2026-11-16"),
        ] {
            assert_eq!(Date::after_epoch(days).to_string(), expected);
        }
    }

    #[test]
    fn only_days_are_taken() {
        assert_eq!("2028-02-29".parse(), Ok(Date(2028, 2, 29)));
        for text in
            ["2027-02-29", "2027-13-01", "2027-00-01", "2027-01-32", "2027-1-31", "27-01-31", "soon", ""]
        {
            assert!(text.parse::<Date>().is_err(), "{text}");
        }
        assert!("2026-12-31".parse::<Date>() < "2027-01-01".parse());
    }
}
