//! Why one moment waits for another, in the words of the question.

use crate::compile::Compiled;
use crate::fact::{ClauseId, Fact};
use crate::held::Wait;
use crate::system::OneShot;
use plimsoll_model::Moment;

/// One link of a chain: `then` never comes before `first`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// What comes first.
    pub first: Moment,
    /// What waits for it.
    pub then: Moment,
    /// Why it waits.
    pub ground: Ground,
}

/// Why a moment waits, by a position in the question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ground {
    /// A cause of it comes only after that.
    Cause(usize),
    /// A guarantee puts that before it.
    Guarantee(usize),
    /// It requires that: without it, it fails or waits.
    Requirement(usize),
}

impl Compiled {
    /// Why an event waits for a clause.
    pub(crate) fn ground(&self, event: Fact, clause: ClauseId) -> Option<Ground> {
        let guards = self.system.guards(event).iter().zip(self.grounds.get(event.0));
        let guard = guards.filter(|(guard, _)| **guard == clause).map(|(_, ground)| *ground).next();
        guard.or_else(|| self.required(event, clause).map(Ground::Requirement))
    }

    fn required(&self, event: Fact, clause: ClauseId) -> Option<usize> {
        let numbers = self.system.needs.get(event.0).iter().map(|number| *number as usize);
        let is_meant = |need: &OneShot| need.stops && need.provider == clause;
        let meant =
            numbers.into_iter().find(|number| self.system.one_shots.get(*number).is_some_and(is_meant));
        self.requirements.get(meant?).copied()
    }

    /// A chain of waits, earliest first, as links between moments: facts without a name join what they stand between.
    pub(crate) fn links(&self, waits: &[Wait]) -> Vec<Link> {
        let mut links = Vec::new();
        let mut begun: Option<(Moment, Ground)> = None;
        for wait in waits {
            if let (Some(first), Some(ground)) =
                (self.names.moment(wait.fact), self.ground(wait.event, wait.clause))
            {
                begun = Some((first.clone(), ground));
            }
            if let Some(then) = self.names.moment(wait.event) {
                links.extend(begun.take().map(|(first, ground)| Link { first, then: then.clone(), ground }));
            }
        }
        links
    }
}
