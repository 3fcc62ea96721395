//! Recognises the texts that go-yaml takes for a time. They stay text, but not numbers.

/// Whether go-yaml v2 reads the text as a timestamp (`go.yaml.in/yaml/v2` v2.4.3, `resolve.go`, `parseTimestamp`).
pub(super) fn is_timestamp(text: &str) -> bool {
    let mut rest = Rest(text.as_bytes());
    rest.date().is_some() && (rest.0.is_empty() || rest.time().is_some())
}

struct Rest<'t>(&'t [u8]);

impl Rest<'_> {
    fn date(&mut self) -> Option<()> {
        let year = self.number(4, 4)?;
        self.one_of(b"-")?;
        let month = self.number(1, 2)?;
        self.one_of(b"-")?;
        let day = self.number(1, 2)?;
        (1..=days(year, month)).contains(&day).then_some(())
    }

    fn time(&mut self) -> Option<()> {
        let separator = self.one_of(b"Tt ")?;
        self.at_most(23)?;
        self.one_of(b":")?;
        self.at_most(59)?;
        self.one_of(b":")?;
        self.at_most(59)?;
        if self.one_of(b".,").is_some() {
            self.number(1, usize::MAX)?;
        }
        if separator != b' ' {
            self.zone()?;
        }
        self.0.is_empty().then_some(())
    }

    fn zone(&mut self) -> Option<()> {
        if self.one_of(b"Z").is_some() {
            return Some(());
        }
        self.one_of(b"+-")?;
        self.number(2, 2)?;
        self.one_of(b":")?;
        self.number(2, 2).map(|_| ())
    }

    fn at_most(&mut self, highest: u32) -> Option<()> {
        (self.number(1, 2)? <= highest).then_some(())
    }

    fn number(&mut self, fewest: usize, most: usize) -> Option<u32> {
        let digits = self.0.iter().take(most).take_while(|byte| byte.is_ascii_digit()).count();
        let (number, rest) = self.0.split_at_checked(digits)?;
        self.0 = rest;
        let value =
            number.iter().fold(0u32, |sum, digit| sum.wrapping_mul(10).wrapping_add(u32::from(digit - b'0')));
        (digits >= fewest).then_some(value)
    }

    fn one_of(&mut self, bytes: &[u8]) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        bytes.contains(first).then(|| {
            self.0 = rest;
            *first
        })
    }
}

fn days(year: u32, month: u32) -> u32 {
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::is_timestamp;

    #[test]
    fn times_are_told_from_other_texts() {
        for text in
            ["2001-01-01", "2001-1-1", "2024-02-29", "2001-12-14t21:59:43.10-05:00", "2001-12-14 21:59:43"]
        {
            assert!(is_timestamp(text), "{text}");
        }
        for text in
            ["2001-13-01", "2023-02-29", "2001-01", "20010101", "2001-12-14 21:59:43Z", "2001-12-14T21:59"]
        {
            assert!(!is_timestamp(text), "{text}");
        }
    }
}
