//! When a reader that tries again finds what it missed.

use crate::times::Pace;
use plimsoll_model::Reading;
use std::time::Duration;

/// When a reader that first tried at `tried` succeeds, if what it reads is there from `arrival` on; `None` if it has
/// given up by then, or never tries again.
pub(crate) fn succeeds_at(
    reading: Reading,
    tried: Duration,
    arrival: Duration,
    pace: Pace,
) -> Option<Duration> {
    let is_late = arrival > tried;
    match reading {
        Reading::Once | Reading::OnceSilently | Reading::OnceForGood => None,
        Reading::Retried { first, longest } if is_late => Some(next_try(tried, arrival, first, longest)),
        // The gaps between a limited number of tries are not known, only when the last one is.
        Reading::RetriedUntil { patience } if is_late => {
            (arrival <= tried.saturating_add(patience)).then_some(arrival)
        }
        Reading::Watched { delay } if is_late => Some(arrival.saturating_add(pace.of(delay))),
        Reading::Retried { .. } | Reading::RetriedUntil { .. } | Reading::Watched { .. } => Some(tried),
    }
}

/// The first try at or after `arrival`; the gaps double from `first` up to `longest`.
fn next_try(tried: Duration, arrival: Duration, first: Duration, longest: Duration) -> Duration {
    let (mut time, mut gap) = (tried, first.min(longest));
    if gap.is_zero() {
        return arrival;
    }
    while time < arrival && gap < longest {
        time = time.saturating_add(gap);
        gap = gap.saturating_mul(2).min(longest);
    }
    if time >= arrival {
        return time;
    }
    let missing = arrival.saturating_sub(time).as_nanos().div_ceil(gap.as_nanos());
    time.saturating_add(gap.saturating_mul(u32::try_from(missing).unwrap_or(u32::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_model::Delay;

    const fn seconds(count: u64) -> Duration {
        Duration::from_secs(count)
    }

    fn check(reading: Reading, arrival: u64, expected: Option<u64>) {
        let found = succeeds_at(reading, seconds(10), seconds(arrival), Pace::Usual);
        assert_eq!(found, expected.map(seconds), "{reading:?} of what arrives at {arrival} s");
    }

    #[test]
    fn tries_come_with_doubling_gaps_up_to_the_longest() {
        let reading = Reading::Retried { first: seconds(1), longest: seconds(5) };
        for (arrival, found) in
            [(3, 10), (11, 11), (12, 13), (14, 17), (18, 22), (22, 22), (23, 27), (1000, 1002)]
        {
            check(reading, arrival, Some(found));
        }
    }

    #[test]
    fn a_watcher_is_told_and_a_patient_reader_gives_up() {
        let delay = Delay { usual: seconds(2), ..Delay::NONE };
        check(Reading::Watched { delay }, 30, Some(32));
        check(Reading::Watched { delay }, 9, Some(10));
        check(Reading::RetriedUntil { patience: seconds(20) }, 30, Some(30));
        check(Reading::RetriedUntil { patience: seconds(20) }, 31, None);
        check(Reading::Once, 12, None);
    }
}
