//! Following a certificate about sets of withheld facts.

use super::walk::Shown;
use super::{Checker, is_met, meaning, sorted};
use crate::bits::Bits;
use crate::certificate::{Claim, Sets};
use crate::fact::{ClauseId, Fact};
use crate::flaw::Flaw;
use rustc_hash::FxHashMap;

/// Whether everything that a certificate says is shown by it.
pub(super) fn follow(checker: &Checker, certificate: &Sets) -> Result<(), Flaw> {
    let mut withheld: FxHashMap<Fact, Bits> = FxHashMap::default();
    for (set, facts) in certificate.withheld.iter().enumerate() {
        for fact in facts {
            withheld.entry(*fact).or_insert(Bits::NONE).set(set);
        }
    }
    let impossible = certificate.impossible.iter().copied().collect();
    Without { checker, certificate, impossible, withheld }.examine()
}

/// The run without each of the sets, by what a certificate says.
pub(super) struct Without<'c> {
    pub(super) checker: &'c Checker<'c>,
    pub(super) certificate: &'c Sets,
    /// The sets without which facts of the run cannot happen.
    impossible: FxHashMap<Fact, Bits>,
    /// The sets that withhold facts.
    withheld: FxHashMap<Fact, Bits>,
}

impl Without<'_> {
    fn examine(&self) -> Result<(), Flaw> {
        for (event, bits) in &self.certificate.impossible {
            let mut unfounded = *bits;
            unfounded &= !self.stays_impossible(*event);
            if unfounded != Bits::NONE {
                return Err(Flaw::NotImpossible(*event));
            }
        }
        let shown = self.show();
        for claim in &self.certificate.claims {
            let (facts, wanted) = meaning(self.checker.system, claim.pair);
            let given = self.certificate.withheld.get(claim.set).map(|given| sorted(given.clone()));
            if Some(facts) != given {
                return Err(Flaw::WrongFacts(claim.pair));
            }
            self.settle(*claim, &wanted, &shown)?;
        }
        Ok(())
    }

    /// Without which sets an event cannot be the first of all impossible events to happen.
    fn stays_impossible(&self, event: Fact) -> Bits {
        let mut stays = self.withheld(event);
        for clause in self.checker.system.waits(event) {
            let mut all = Bits::ALL;
            for fact in self.checker.system.clause(*clause) {
                all &= self.impossible(*fact);
            }
            stays |= all;
        }
        stays
    }

    fn settle(&self, claim: Claim, wanted: &[ClauseId], shown: &Shown) -> Result<(), Flaw> {
        let met = |holds: &dyn Fn(Fact) -> Bits| {
            let holds = |fact| holds(fact).has(claim.set);
            wanted.iter().all(|clause| is_met(self.checker.system, *clause, holds))
        };
        if claim.is_held && met(&|fact| !self.impossible(fact)) {
            return Err(Flaw::NotHeld(claim.pair));
        }
        if !claim.is_held && !met(&|fact| self.possible(fact, shown)) {
            return Err(Flaw::NotShown(claim.pair));
        }
        Ok(())
    }

    fn possible(&self, fact: Fact, shown: &Shown) -> Bits {
        match (shown, self.checker.place_of(fact)) {
            (_, None) => Bits::NONE,
            (Shown::AsListed, Some(_)) => !self.impossible(fact),
            (Shown::ByWalk(walk), Some(place)) => walk.at(place),
        }
    }

    /// The sets without which a fact cannot happen.
    pub(super) fn impossible(&self, fact: Fact) -> Bits {
        match self.checker.place_of(fact) {
            Some(_) => self.impossible.get(&fact).copied().unwrap_or(Bits::NONE),
            None => Bits::ALL,
        }
    }

    /// The sets that withhold a fact.
    pub(super) fn withheld(&self, fact: Fact) -> Bits {
        self.withheld.get(&fact).copied().unwrap_or(Bits::NONE)
    }
}
