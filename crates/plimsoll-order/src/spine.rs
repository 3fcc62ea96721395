//! One long chain of waits, and how much of it each event needs.
//!
//! Most deployments have a backbone: a tool sends one request after the other. Without one link of a chain nothing
//! behind it on the chain happens, so of a whole chain each other event needs a first part, and one number says
//! which. That answers any number of questions about links in one walk through the order.

use crate::fact::{ClauseId, Fact, PerFact};
use crate::lists::{Lists, narrow};
use crate::system::System;

/// A chain of waits through an order of events, and how many of its links each event needs.
pub(crate) struct Spine {
    /// The positions of the links, each of which waits for the one before without alternative.
    links: Vec<u32>,
    /// For each position, how many links its event needs, counting itself.
    levels: Vec<u32>,
}

impl Spine {
    /// The longest chain of an order. Nothing if some event could do with less by an alternative that stands behind
    /// it: then one walk does not find out what each event needs.
    pub(crate) fn of(
        system: &System,
        place: &PerFact<Option<u32>>,
        single: &Lists<u32>,
        choice: &Lists<ClauseId>,
    ) -> Option<Self> {
        let mut spine = Self { links: longest(single), levels: Vec::with_capacity(single.len()) };
        let mut looks_ahead = Vec::new();
        let mut next = 0;
        for position in 0..narrow(single.len()) {
            let mut level = single.get(position).iter().map(|needed| spine.level(*needed)).max().unwrap_or(0);
            for clause in choice.get(position) {
                let places = || system.clause(*clause).iter().filter_map(|fact| place[*fact]);
                let least = places().filter_map(|place| spine.levels.get(place as usize)).min();
                level = level.max(least.copied().unwrap_or(u32::MAX));
                looks_ahead.extend(places().filter(|place| *place > position).map(|place| (position, place)));
            }
            if spine.links.get(next) == Some(&position) {
                next += 1;
                level = level.max(narrow(next));
            }
            spine.levels.push(level);
        }
        let is_exact = |(position, ahead): &(u32, u32)| spine.level(*ahead) >= spine.level(*position);
        looks_ahead.iter().all(is_exact).then_some(spine)
    }

    /// How many links the event at a position needs.
    pub(crate) fn level(&self, position: u32) -> u32 {
        self.levels.get(position as usize).copied().unwrap_or(u32::MAX)
    }

    /// Which link the event at a position is.
    pub(crate) fn link(&self, position: u32) -> Option<u32> {
        let link = self.level(position).checked_sub(1)?;
        (self.links.get(link as usize) == Some(&position)).then_some(link)
    }

    /// The links, as the events of an order.
    pub(crate) fn links(&self, order: &[Fact]) -> Vec<Fact> {
        self.links.iter().filter_map(|position| order.get(*position as usize)).copied().collect()
    }
}

/// The positions of a longest chain of events that wait for each other without alternative.
fn longest(single: &Lists<u32>) -> Vec<u32> {
    let mut lengths: Vec<(u32, Option<u32>)> = Vec::with_capacity(single.len());
    for position in 0..narrow(single.len()) {
        let length =
            |needed: &u32| lengths.get(*needed as usize).map(|(length, _)| (length + 1, Some(*needed)));
        let longest = single.get(position).iter().filter_map(length).max();
        lengths.push(longest.unwrap_or_default());
    }
    let last = (0..).zip(&lengths).max_by_key(|(_, length)| *length).map(|(position, _)| position);
    let mut links: Vec<u32> = std::iter::successors(last, |position| {
        lengths.get(*position as usize).and_then(|(_, before)| *before)
    })
    .collect();
    links.reverse();
    links
}
