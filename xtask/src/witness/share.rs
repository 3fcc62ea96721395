//! A share of what could be witnessed, so that a check has an end: `--share 2/5` is the second fifth. Neighbours need the
//! same operators, so that a share has few of them to build.

use anyhow::{Context as _, Result, ensure};
use std::str::FromStr;

/// Which share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Share {
    number: usize,
    of: usize,
}

impl Share {
    /// Splits into what is in the share and what is not; the order stays.
    pub(super) fn split<T>(self, all: Vec<T>) -> (Vec<T>, Vec<T>) {
        let end = |number: usize| number * all.len() / self.of;
        let places = end(self.number - 1)..end(self.number);
        let (own, other): (Vec<_>, Vec<_>) =
            all.into_iter().enumerate().partition(|(place, _)| places.contains(place));
        let bare = |part: Vec<(usize, T)>| part.into_iter().map(|(_, one)| one).collect();
        (bare(own), bare(other))
    }
}

impl FromStr for Share {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let wrong = || format!("--share {text}: a share is written like 2/5");
        let (number, of) = text.split_once('/').with_context(wrong)?;
        let share = Self { number: number.parse().with_context(wrong)?, of: of.parse().with_context(wrong)? };
        ensure!((1..=share.of).contains(&share.number), wrong());
        Ok(share)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn shares_are_all_together() {
        let share = |text: &str| text.parse::<Share>().unwrap().split((1..=7).collect());
        assert_eq!(share("1/3"), (vec![1, 2], vec![3, 4, 5, 6, 7]));
        assert_eq!(share("2/3").0, [3, 4]);
        assert_eq!(share("3/3").0, [5, 6, 7]);
        assert_eq!(share("1/1").1, Vec::<i32>::new());
    }

    #[test]
    fn a_share_of_nothing_is_refused() {
        for text in ["0/3", "4/3", "2", "a/b", "0/0"] {
            assert!(text.parse::<Share>().is_err(), "{text}");
        }
    }
}
