//! What comes of a race: from how the reader reads, what brings the missing thing, and what the tool does next.

use plimsoll_model::{Consequence, Reading};
use plimsoll_order::Race;
use std::time::Duration;

/// Up to here a delay is noise.
const NOISE: Duration = Duration::from_mins(1);

/// The consequence of a race whose reader reads in this way.
pub(super) fn of(reading: Reading, race: &Race) -> Consequence {
    if matches!(reading, Reading::OnceSilently) {
        return Consequence::Damage;
    }
    // What is needed comes only after the very thing that needs it, or never: no repetition helps.
    if !race.recovers {
        return Consequence::Stuck;
    }
    match reading {
        Reading::OnceSilently => Consequence::Damage,
        Reading::OnceForGood => Consequence::Stuck,
        Reading::Once => Consequence::Late,
        Reading::Retried { .. } | Reading::RetriedUntil { .. } | Reading::Watched { .. } => {
            match lost(race) {
                None => Consequence::Stuck,
                Some(lost) if lost <= NOISE => Consequence::Noise,
                Some(_) => Consequence::Late,
            }
        }
    }
}

/// The time from the first try to the one that succeeds; `None` if none does.
pub(super) fn lost(race: &Race) -> Option<Duration> {
    race.healed_at.map(|healed| healed.saturating_sub(race.fails_at))
}
