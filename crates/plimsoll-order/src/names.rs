//! Which fact stands for which moment. Facts that only join others, such as barriers, have no name.

use crate::fact::Fact;
use indexmap::IndexMap;
use plimsoll_model::Moment;
use rustc_hash::FxBuildHasher;

/// Moments and the facts that stand for them.
#[derive(Debug)]
pub(crate) struct Names {
    facts: IndexMap<Moment, Fact, FxBuildHasher>,
    /// For each fact, the position of its moment.
    moments: Vec<Option<u32>>,
}

impl Names {
    /// No names yet, and room for so many.
    pub(crate) fn with_room_for(count: usize) -> Self {
        let facts = IndexMap::with_capacity_and_hasher(count, FxBuildHasher);
        Self { facts, moments: Vec::with_capacity(count) }
    }

    /// The fact of a moment, if it was ever spoken of.
    pub(crate) fn fact(&self, moment: &Moment) -> Option<Fact> {
        self.facts.get(moment).copied()
    }

    /// The moment of a fact, unless it has no name.
    pub(crate) fn moment(&self, fact: Fact) -> Option<&Moment> {
        let position = (*self.moments.get(fact.0 as usize)?)?;
        self.facts.get_index(position as usize).map(|(moment, _)| moment)
    }

    /// The moments of some facts.
    pub(crate) fn moments<'a>(&'a self, facts: impl IntoIterator<Item = &'a Fact>) -> Vec<Moment> {
        facts.into_iter().filter_map(|fact| self.moment(*fact)).cloned().collect()
    }

    /// Names a fact.
    pub(crate) fn name(&mut self, fact: Fact, moment: Moment) {
        let position = crate::lists::narrow(self.facts.len());
        self.facts.insert(moment, fact);
        self.moments.resize(self.moments.len().max(fact.0 as usize + 1), None);
        if let Some(slot) = self.moments.get_mut(fact.0 as usize) {
            *slot = Some(position);
        }
    }

    /// Every fact that has a name.
    pub(crate) fn facts(&self) -> impl Iterator<Item = Fact> {
        self.facts.values().copied()
    }
}
