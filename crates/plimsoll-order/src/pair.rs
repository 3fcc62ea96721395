//! The two ends of what a run can break, and what must hold for it to break.

use crate::fact::{ClauseId, Fact};
use crate::system::{Breach, System};
use crate::withheld::Query;
use plimsoll_model::Reading;

impl System {
    /// Everything that a run could break.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = Breach> + use<> {
        let requirements = (0..self.one_shots.len()).map(Breach::Requirement);
        requirements.chain((0..self.intervals.len()).map(Breach::Window))
    }

    /// Whether some run breaks a pair: what it wants can be met without what it withholds.
    pub(crate) fn breaks(&self, pair: Breach) -> Query {
        Query { withheld: self.withheld(pair), wanted: self.wanted(pair).collect() }
    }

    /// What must be met for a pair to break: the reader's guards and, for a window, its opening.
    pub(crate) fn wanted(&self, pair: Breach) -> impl Iterator<Item = ClauseId> + '_ {
        let open = match pair {
            Breach::Requirement(_) => &[][..],
            Breach::Window(number) => self.intervals.get(number).map_or(&[][..], |interval| &interval.open),
        };
        self.guards(self.consumer(pair)).iter().chain(open).copied()
    }

    /// What must not have happened for a pair to break.
    pub(crate) fn withheld(&self, pair: Breach) -> Vec<Fact> {
        let mut facts = self.clause(self.provider(pair)).to_vec();
        if let Breach::Window(_) = pair {
            facts.push(self.consumer(pair));
        }
        facts
    }

    /// The event that fails when a pair breaks.
    pub(crate) fn consumer(&self, pair: Breach) -> Fact {
        match pair {
            Breach::Requirement(number) => self.one_shots.get(number).map(|one_shot| one_shot.consumer),
            Breach::Window(number) => self.intervals.get(number).map(|interval| interval.victim),
        }
        .unwrap_or_default()
    }

    /// What should have come first.
    pub(crate) fn provider(&self, pair: Breach) -> ClauseId {
        match pair {
            Breach::Requirement(number) => self.one_shots.get(number).map(|one_shot| one_shot.provider),
            Breach::Window(number) => self.intervals.get(number).map(|interval| interval.close),
        }
        .unwrap_or_default()
    }

    /// How the event that fails reads.
    pub(crate) fn reading(&self, pair: Breach) -> Reading {
        match pair {
            Breach::Requirement(number) => self.one_shots.get(number).map(|one_shot| one_shot.reading),
            Breach::Window(number) => self.intervals.get(number).map(|interval| interval.reading),
        }
        .unwrap_or(Reading::Once)
    }
}
