//! Moments in UTC, and Go's layouts for them.

use crate::template::function::Function;
use crate::template::value::{Kind, Member, Object, Value};
use std::any::Any;

/// A moment, in seconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Time {
    pub(crate) seconds: i64,
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/// A date and a time of day.
#[derive(Debug, Clone, Copy)]
struct Civil {
    year: i64,
    month: i64,
    day: i64,
    hour: i64,
    minute: i64,
    second: i64,
}

impl Time {
    /// Go's zero time, the first moment of year 1.
    pub(crate) const ZERO: Self = Self { seconds: -62_135_596_800 };

    /// As Go's `Format` writes it.
    pub(crate) fn format(self, layout: &str) -> String {
        let civil = self.civil();
        let mut text = String::new();
        let mut rest = layout;
        while !rest.is_empty() {
            if let Some((name, write)) = ELEMENTS.iter().find(|(name, _)| rest.starts_with(name)) {
                text.push_str(&write(self, civil));
                rest = rest.get(name.len()..).unwrap_or_default();
            } else {
                let mut characters = rest.chars();
                text.extend(characters.next());
                rest = characters.as_str();
            }
        }
        text
    }

    /// The day of a count of days since 1970, by the rules of the Gregorian calendar in eras of 400 years.
    fn civil(self) -> Civil {
        let (days, rest) = (self.seconds.div_euclid(86_400), self.seconds.rem_euclid(86_400));
        let shifted = days + 719_468;
        let era = shifted.div_euclid(146_097);
        let day_of_era = shifted.rem_euclid(146_097);
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted_month = (5 * day_of_year + 2) / 153;
        let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
        Civil {
            year: year_of_era + era * 400 + i64::from(month <= 2),
            month,
            day: day_of_year - (153 * shifted_month + 2) / 5 + 1,
            hour: rest / 3_600,
            minute: rest / 60 % 60,
            second: rest % 60,
        }
    }

    fn weekday(self) -> usize {
        usize::try_from((self.seconds.div_euclid(86_400) + 4).rem_euclid(7)).unwrap_or_default()
    }
}

type Write = fn(Time, Civil) -> String;

fn name(names: &[&str], index: i64) -> String {
    let index = usize::try_from(index).unwrap_or_default();
    names.get(index).copied().unwrap_or_default().to_owned()
}

fn short(name: &str) -> String {
    name.chars().take(3).collect()
}

fn hour_of_twelve(civil: Civil) -> i64 {
    if civil.hour % 12 == 0 { 12 } else { civil.hour % 12 }
}

/// The elements of a layout; longer ones stand before their beginnings.
const ELEMENTS: [(&str, Write); 31] = [
    ("January", |_, civil| name(&MONTHS, civil.month - 1)),
    ("Jan", |_, civil| short(&name(&MONTHS, civil.month - 1))),
    ("Monday", |time, _| name(&DAYS, i64::try_from(time.weekday()).unwrap_or_default())),
    ("Mon", |time, _| short(&name(&DAYS, i64::try_from(time.weekday()).unwrap_or_default()))),
    ("MST", |_, _| "UTC".to_owned()),
    ("2006", |_, civil| format!("{:04}", civil.year)),
    ("-07:00:00", |_, _| "+00:00:00".to_owned()),
    ("-07:00", |_, _| "+00:00".to_owned()),
    ("-0700", |_, _| "+0000".to_owned()),
    ("-07", |_, _| "+00".to_owned()),
    ("Z07:00", |_, _| "Z".to_owned()),
    ("Z0700", |_, _| "Z".to_owned()),
    ("Z07", |_, _| "Z".to_owned()),
    (".000000000", |_, _| ".000000000".to_owned()),
    (".000000", |_, _| ".000000".to_owned()),
    (".000", |_, _| ".000".to_owned()),
    (".999999999", |_, _| String::new()),
    ("002", |time, civil| {
        let first = Civil { month: 1, day: 1, ..civil };
        format!("{:03}", (time.seconds.div_euclid(86_400)) - days_of(first) + 1)
    }),
    ("01", |_, civil| format!("{:02}", civil.month)),
    ("02", |_, civil| format!("{:02}", civil.day)),
    ("03", |_, civil| format!("{:02}", hour_of_twelve(civil))),
    ("04", |_, civil| format!("{:02}", civil.minute)),
    ("05", |_, civil| format!("{:02}", civil.second)),
    ("06", |_, civil| format!("{:02}", civil.year.rem_euclid(100))),
    ("15", |_, civil| format!("{:02}", civil.hour)),
    ("PM", |_, civil| if civil.hour < 12 { "AM" } else { "PM" }.to_owned()),
    ("_2", |_, civil| format!("{:>2}", civil.day)),
    ("1", |_, civil| civil.month.to_string()),
    ("2", |_, civil| civil.day.to_string()),
    ("4", |_, civil| civil.minute.to_string()),
    ("5", |_, civil| civil.second.to_string()),
];

fn days_of(civil: Civil) -> i64 {
    let year = if civil.month <= 2 { civil.year - 1 } else { civil.year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let shifted_month = (civil.month + 9) % 12;
    let day_of_year = (153 * shifted_month + 2) / 5 + civil.day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// Reads a text by a layout of numbers, such as `2006-01-02T15:04:05Z07:00`; zones other than UTC are not known.
pub(crate) fn parsed(layout: &str, text: &str) -> Option<Time> {
    let mut civil = Civil { year: 1, month: 1, day: 1, hour: 0, minute: 0, second: 0 };
    let (mut layout, mut text) = (layout, text);
    while !layout.is_empty() {
        let element = ["2006", "Z07:00", "-07:00", "-0700", "01", "02", "15", "04", "05"]
            .into_iter()
            .find(|name| layout.starts_with(name));
        let Some(element) = element else {
            let next = layout.chars().next()?;
            layout = layout.strip_prefix(next)?;
            text = text.strip_prefix(next)?;
            continue;
        };
        layout = layout.strip_prefix(element)?;
        if element.contains("07") {
            text = text.strip_prefix('Z').or_else(|| text.get(element.trim_start_matches('Z').len()..))?;
            continue;
        }
        let (digits, behind) = text.split_at_checked(element.len())?;
        let number = digits.parse().ok()?;
        text = behind;
        match element {
            "2006" => civil.year = number,
            "01" => civil.month = number,
            "02" => civil.day = number,
            "15" => civil.hour = number,
            "04" => civil.minute = number,
            _ => civil.second = number,
        }
    }
    let seconds = civil.hour * 3_600 + civil.minute * 60 + civil.second;
    text.is_empty().then(|| Time { seconds: days_of(civil) * 86_400 + seconds })
}

impl Object for Time {
    fn type_name(&self) -> &'static str {
        "time.Time"
    }

    fn kind(&self) -> Kind {
        Kind::Struct
    }

    fn member(&self, name: &str) -> Option<Member> {
        METHODS.iter().find(|method| method.name == name).map(Member::Method)
    }

    fn print(&self) -> String {
        self.format("2006-01-02 15:04:05 -0700 MST")
    }

    fn plain(&self) -> Value {
        Value::from(self.format("2006-01-02T15:04:05Z07:00"))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

const METHODS: &[Function] = &[
    Function::new("Format", &[crate::template::function::Parameter::Text], |call| {
        Ok(moment(call.receiver).format(call.str(0)).into())
    }),
    Function::new("Unix", &[], |call| Ok(Value::Int64(moment(call.receiver).seconds).into())),
    Function::new("UnixNano", &[], |call| {
        Ok(Value::Int64(moment(call.receiver).seconds.saturating_mul(1_000_000_000)).into())
    }),
    Function::new("Year", &[], |call| Ok(Value::Int(moment(call.receiver).civil().year).into())),
    Function::new("Day", &[], |call| Ok(Value::Int(moment(call.receiver).civil().day).into())),
    Function::new("UTC", &[], |call| Ok(call.receiver.cloned().unwrap_or(Value::Nil).into())),
    Function::new("String", &[], |call| Ok(moment(call.receiver).print().into())),
];

fn moment(value: Option<&Value>) -> Time {
    match value {
        Some(Value::Object(object)) => object.as_any().downcast_ref().copied().unwrap_or(Time::ZERO),
        _ => Time::ZERO,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_and_read() {
        let time = Time { seconds: 1_709_210_096 };
        assert_eq!(time.format("2006-01-02T15:04:05Z07:00"), "2024-02-29T12:34:56Z");
        assert_eq!(time.format("Mon, 2 Jan 06 03:04 PM"), "Thu, 29 Feb 24 12:34 PM");
        assert_eq!(parsed("2006-01-02 15:04:05", "2024-02-29 12:34:56"), Some(time));
        assert_eq!(Time::ZERO.format("2006-01-02"), "0001-01-01");
    }
}
