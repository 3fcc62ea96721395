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
    if arrival <= tried {
        return Some(tried);
    }
    match reading {
        Reading::Once | Reading::OnceSilently | Reading::OnceForGood => None,
        Reading::Retried { first, longest } => Some(next_try(tried, arrival, first, longest)),
        // The gaps between a limited number of tries are not known, only when the last one is.
        Reading::RetriedUntil { patience } => (arrival <= tried.saturating_add(patience)).then_some(arrival),
        Reading::Watched { delay } => Some(arrival.saturating_add(pace.of(delay))),
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
