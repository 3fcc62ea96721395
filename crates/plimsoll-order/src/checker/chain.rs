//! Following a certificate about the links of a chain.
//!
//! Say some event that needs a link happens without it, and take the first such event of a run. It is not the link
//! itself. If it waits for a clause of which every fact needs as much, one of those came before it, and was not the
//! first; if it is a later link, the link before it came first, which needs the missing one too. And what needs no
//! more than some links happens without the others if, along the run, everything it waits for has come before and
//! needs no more either.

use super::{Checker, is_met, meaning};
use crate::certificate::{Chain, Claim};
use crate::fact::Fact;
use crate::flaw::Flaw;

/// Whether everything that a certificate says is shown by it.
pub(super) fn follow(checker: &Checker, certificate: &Chain) -> Result<(), Flaw> {
    let count = checker.place.len();
    let mut chain = Levels { checker, level: vec![0; count], link: vec![None; count] };
    for (fact, level) in &certificate.levels {
        enter(&mut chain.level, *fact, *level);
    }
    for (number, fact) in (0..).zip(&certificate.links) {
        enter(&mut chain.link, *fact, Some(number));
    }
    let mut befores = [None].into_iter().chain(certificate.links.iter().map(Some));
    let mut links = certificate.links.iter().zip(&mut befores);
    if let Some((link, _)) =
        links.find(|(link, before)| before.is_some_and(|before| !chain.waits_for(**link, *before)))
    {
        return Err(Flaw::NotImpossible(*link));
    }
    if let Some(event) = checker.run.iter().find(|event| !chain.is_exact(**event)) {
        return Err(Flaw::NotImpossible(*event));
    }
    certificate.claims.iter().try_for_each(|claim| chain.settle(*claim))
}

struct Levels<'c> {
    checker: &'c Checker<'c>,
    /// For each fact, how many links it needs.
    level: Vec<u32>,
    /// For each fact, which link it is.
    link: Vec<Option<u32>>,
}

impl Levels<'_> {
    /// Whether a link waits for another without alternative.
    fn waits_for(&self, link: Fact, before: Fact) -> bool {
        let only = |fact: &Fact| *fact == before || self.checker.place_of(*fact).is_none();
        let system = self.checker.system;
        system.waits(link).iter().any(|clause| system.clause(*clause).iter().all(only))
    }

    /// Whether an event of the run needs as many links as it is said to, neither fewer nor more.
    fn is_exact(&self, event: Fact) -> bool {
        let (system, level) = (self.checker.system, self.level_of(event));
        let link = self.link.get(event.0 as usize).copied().flatten();
        let is_earlier = |fact: Fact| self.checker.place_of(fact) < self.checker.place_of(event);
        let mut clauses = system.waits(event).iter();
        let needs_less = |fact: Fact| self.level_of(fact) < level;
        let needs_more = |fact: Fact| !is_earlier(fact) || self.level_of(fact) > level;
        let is_needed = level == 0
            || link.is_some_and(|link| link + 1 == level)
            || clauses.clone().any(|clause| !is_met(system, *clause, needs_less));
        let is_enough = link.is_none_or(|link| link < level)
            && clauses.all(|clause| is_met(system, *clause, |fact| !needs_more(fact)));
        is_needed && is_enough
    }

    fn settle(&self, claim: Claim) -> Result<(), Flaw> {
        let (facts, wanted) = meaning(self.checker.system, claim.pair);
        let happening = facts.iter().filter(|fact| self.checker.place_of(**fact).is_some());
        let links = happening.map(|fact| self.link.get(fact.0 as usize).copied().flatten());
        let (mut first, mut are_links) = (u32::MAX, true);
        for link in links {
            first = first.min(link.unwrap_or(u32::MAX));
            are_links &= link.is_some();
        }
        if first as usize != claim.set || !(claim.is_held || are_links) {
            return Err(Flaw::WrongFacts(claim.pair));
        }
        let is_possible = |fact: Fact| self.level_of(fact) <= first;
        let is_met = wanted.iter().all(|clause| is_met(self.checker.system, *clause, is_possible));
        match (claim.is_held, is_met) {
            (true, true) => Err(Flaw::NotHeld(claim.pair)),
            (false, false) => Err(Flaw::NotShown(claim.pair)),
            _ => Ok(()),
        }
    }

    /// How many links a fact needs; what never happens needs more than there are.
    fn level_of(&self, fact: Fact) -> u32 {
        match self.checker.place_of(fact) {
            Some(_) => self.level.get(fact.0 as usize).copied().unwrap_or(u32::MAX),
            None => u32::MAX,
        }
    }
}

fn enter<T>(column: &mut [T], fact: Fact, entry: T) {
    if let Some(slot) = column.get_mut(fact.0 as usize) {
        *slot = entry;
    }
}
