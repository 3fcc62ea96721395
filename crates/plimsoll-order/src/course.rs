//! How a race unfolds, moment by moment.

use crate::compile::Compiled;
use crate::fact::Fact;
use crate::race::arrival;
use crate::system::Breach;
use crate::timeline::{Prefix, cone};
use crate::times::Times;
use plimsoll_model::Moment;
use rustc_hash::FxHashSet;
use std::time::Duration;

/// One order of moments in which a race is lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Course {
    /// The moments before the failure, earliest first, at the lowest delays; none of them can be left out of a run.
    pub prefix: Vec<Reached>,
    /// When the reader fails.
    pub fails_at: Duration,
    /// The moments that bring what was missing, as far as they are not in `prefix`, at usual delays; the last of them
    /// is what was missing. Empty if it never comes.
    pub provider: Vec<Reached>,
}

/// A moment and its time since the beginning of the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reached {
    /// The moment.
    pub moment: Moment,
    /// Its time.
    pub time: Duration,
}

impl Compiled {
    /// How a breach of the system comes about, by the events before it.
    pub(crate) fn course(
        &self,
        breach: Breach,
        before: Prefix,
        usual: &Times,
        is_told: impl Fn(&Moment) -> bool,
    ) -> Course {
        let reached = |(fact, time): (Fact, Duration)| {
            let moment = self.names.moment(fact).filter(|moment| is_told(moment))?;
            Some(Reached { moment: moment.clone(), time })
        };
        let mut provider = self.provider(breach, usual);
        let mut late: FxHashSet<Fact> = provider.iter().map(|(fact, _)| *fact).collect();
        for (fact, _) in &before.events {
            late.remove(fact);
        }
        provider.retain(|(fact, _)| late.contains(fact));
        if let (Some(last), Some(arrival)) =
            (provider.last_mut(), arrival(&self.system, breach, usual, before.fails_at))
        {
            last.1 = arrival;
        }
        Course {
            prefix: before.events.into_iter().filter_map(reached).collect(),
            fails_at: before.fails_at,
            provider: provider.into_iter().filter_map(reached).collect(),
        }
    }

    /// The cheapest way to what a breach misses, with its times.
    fn provider(&self, breach: Breach, usual: &Times) -> Vec<(Fact, Duration)> {
        let events = cone(&self.system, &[self.system.provider(breach)], usual).unwrap_or_default();
        events.into_iter().filter_map(|event| Some((event, usual.at(event)?))).collect()
    }
}
