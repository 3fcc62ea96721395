//! Whether what a certificate does not list as impossible is possible, as the run shows.

use super::sets::Without;
use super::{meaning, sorted};
use crate::bits::Bits;
use crate::fact::Fact;
use crate::lists::narrow;

/// What the run shows to be possible without each set.
pub(super) enum Shown {
    /// Everything of the run, as far as it matters, that is not listed as impossible.
    AsListed,
    /// What a walk along the run finds.
    ByWalk(Walk),
}

/// What a walk along the run finds possible.
pub(super) struct Walk {
    /// Where the walk begins; everything before is possible.
    start: u32,
    /// The events walked over.
    bits: Vec<Bits>,
}

impl Without<'_> {
    /// Shows what is possible as far as the broken pairs of the certificate ask.
    pub(super) fn show(&self) -> Shown {
        let broken = || self.certificate.claims.iter().filter(|claim| !claim.is_held);
        let mut sets = Bits::NONE;
        broken().for_each(|claim| sets.set(claim.set));
        let wanted = broken().flat_map(|claim| meaning(self.checker.system, claim.pair).1);
        let facts = wanted.flat_map(|clause| self.checker.system.clause(clause));
        let end = facts.filter_map(|fact| self.checker.place_of(*fact)).max().map_or(0, |last| last + 1);
        let is_as_listed = self.touched(end).iter().all(|event| self.is_upheld(*event, sets));
        if is_as_listed { Shown::AsListed } else { Shown::ByWalk(self.walk(end)) }
    }

    /// The events before an end that are withheld, listed as impossible, or wait for one that is. All others find in
    /// the run, without any set, what they find there.
    fn touched(&self, end: u32) -> Vec<Fact> {
        let withheld = self.certificate.withheld.iter().flatten();
        let listed = self.certificate.impossible.iter().map(|(fact, _)| fact);
        let mut touched: Vec<Fact> = Vec::new();
        for fact in withheld.chain(listed) {
            let events = self.checker.followers.get(fact.0).iter().chain([fact]).copied();
            touched.extend(
                events.filter(|event| self.checker.place_of(*event).is_some_and(|place| place < end)),
            );
        }
        sorted(touched)
    }

    /// Whether an event, without those sets for which it is not listed, finds what it waits for earlier in the run.
    fn is_upheld(&self, event: Fact, sets: Bits) -> bool {
        let is_earlier = |fact: &&Fact| self.checker.place_of(**fact) < self.checker.place_of(event);
        let mut able = !self.withheld(event);
        for clause in self.checker.system.waits(event) {
            let mut any = Bits::NONE;
            for fact in self.checker.system.clause(*clause).iter().filter(is_earlier) {
                any |= !self.impossible(*fact);
            }
            able &= any;
        }
        let mut unfounded = sets;
        unfounded &= !self.impossible(event);
        unfounded &= !able;
        unfounded == Bits::NONE
    }

    /// Walks along the run, noting what is possible without each set by what was noted before. What the run has
    /// before the first withheld fact, it has without any of them.
    fn walk(&self, end: u32) -> Walk {
        let withheld = self.certificate.withheld.iter().flatten();
        let start = withheld.filter_map(|fact| self.checker.place_of(*fact)).min().unwrap_or(end);
        let mut walk = Walk { start, bits: vec![Bits::NONE; end.saturating_sub(start) as usize] };
        while self.walk_on(&mut walk) {}
        walk
    }

    /// One walk along the run. Returns whether another may show more: something was noted, and alternatives that
    /// stand later in the run are waited for.
    fn walk_on(&self, walk: &mut Walk) -> bool {
        let (mut looks_ahead, mut grows) = (false, false);
        let mut position = walk.start;
        while position < walk.end() {
            let Some(event) = self.checker.run.get(position as usize) else { break };
            let mut able = !self.withheld(*event);
            for clause in self.checker.system.waits(*event) {
                let mut any = Bits::NONE;
                let facts = self.checker.system.clause(*clause).iter();
                for place in facts.filter_map(|fact| self.checker.place_of(*fact)) {
                    looks_ahead |= place >= position;
                    walk.reach(place);
                    any |= walk.at(place);
                }
                able &= any;
            }
            grows |= walk.note(position, able);
            position += 1;
        }
        looks_ahead && grows
    }
}

impl Walk {
    /// The sets without which the event at a place was seen to happen.
    pub(super) fn at(&self, place: u32) -> Bits {
        match place.checked_sub(self.start) {
            None => Bits::ALL,
            Some(step) => self.bits.get(step as usize).copied().unwrap_or(Bits::NONE),
        }
    }

    fn end(&self) -> u32 {
        self.start.saturating_add(narrow(self.bits.len()))
    }

    /// Makes the walk go as far as a place.
    fn reach(&mut self, place: u32) {
        let steps = (place + 1).saturating_sub(self.start) as usize;
        if steps > self.bits.len() {
            self.bits.resize(steps, Bits::NONE);
        }
    }

    /// Notes what the step to a place shows; returns whether that is new.
    fn note(&mut self, place: u32, able: Bits) -> bool {
        let step = place.saturating_sub(self.start) as usize;
        self.bits.get_mut(step).is_some_and(|bits| std::mem::replace(bits, able) != able)
    }
}
