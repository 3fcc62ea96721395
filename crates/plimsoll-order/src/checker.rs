//! An independent check of certificates and timelines. It shares the words of the system with the analysis and not
//! one line of its reasoning: nothing here searches, everything given is only looked at once.

use crate::bits::Bits;
use crate::certificate::{Certificate, Claim};
use crate::fact::{ClauseId, Fact};
use crate::system::{Breach, System};
use std::collections::BTreeSet;
use std::fmt;

/// A proof that does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flaw {
    /// An event can happen although the certificate says it cannot.
    NotClosed(Fact),
    /// The facts that the certificate withholds are not those that the pair is about.
    WrongFacts(Breach),
    /// The certificate does not show that the pair is held.
    NotHeld(Breach),
    /// The pair is said to be broken, and no run that breaks it was shown.
    NotShown(Breach),
    /// A timeline lets an event happen that still waits, or that must not have happened.
    DoesNotReplay(Breach, Fact),
    /// A timeline ends before its failure.
    DoesNotFail(Breach),
    /// Nothing was said about the pair.
    Silent(Breach),
}

/// Follows the proofs of one system and notes what has been proved.
pub struct Checker<'a> {
    system: &'a System,
    /// An order of events that shows, for most of them, that they can happen.
    order: &'a [Fact],
    held: BTreeSet<Breach>,
    broken: BTreeSet<Breach>,
    /// Said to be broken, and not yet shown.
    doubted: BTreeSet<Breach>,
}

impl<'a> Checker<'a> {
    /// A checker that has seen no proof.
    #[must_use]
    pub fn new(system: &'a System, order: &'a [Fact]) -> Self {
        Self { system, order, held: BTreeSet::new(), broken: BTreeSet::new(), doubted: BTreeSet::new() }
    }

    /// Follows a certificate.
    pub fn follow(&mut self, certificate: &Certificate) -> Result<(), Flaw> {
        let withheld = withheld(certificate);
        self.is_closed(&withheld, &certificate.derivable)?;
        let shown = self.shown(&withheld);
        for claim in &certificate.claims {
            let (facts, wanted) = self.meaning(claim.pair);
            let given: BTreeSet<Fact> =
                certificate.withheld.get(claim.set).into_iter().flatten().copied().collect();
            if facts != given {
                return Err(Flaw::WrongFacts(claim.pair));
            }
            self.settle(*claim, &wanted, &certificate.derivable, &shown)?;
        }
        Ok(())
    }

    /// Replays the events of a timeline up to the failure.
    pub fn replay(&mut self, pair: Breach, events: &[Fact]) -> Result<(), Flaw> {
        let (withheld, wanted) = self.meaning(pair);
        let mut happened = BTreeSet::new();
        for event in events {
            let waits = self.system.waits(*event).iter();
            let may_happen =
                waits.copied().all(|clause| self.is_met(clause, |fact| happened.contains(&fact)));
            if !may_happen || withheld.contains(event) {
                return Err(Flaw::DoesNotReplay(pair, *event));
            }
            happened.insert(*event);
        }
        if !wanted.iter().all(|clause| self.is_met(*clause, |fact| happened.contains(&fact))) {
            return Err(Flaw::DoesNotFail(pair));
        }
        self.doubted.remove(&pair);
        self.broken.insert(pair);
        Ok(())
    }

    /// The pairs that are said to be broken and need a timeline to show it.
    #[must_use]
    pub fn doubted(&self) -> Vec<Breach> {
        self.doubted.iter().copied().collect()
    }

    /// Whether everything has been proved: every one of `races` is broken by some run, everything else is held.
    pub fn finish(&self, races: &[Breach]) -> Result<(), Flaw> {
        let races: BTreeSet<Breach> = races.iter().copied().collect();
        let requirements = (0..self.system.one_shots().len()).map(Breach::Requirement);
        for pair in requirements.chain((0..self.system.intervals().len()).map(Breach::Window)) {
            match (races.contains(&pair), self.held.contains(&pair), self.broken.contains(&pair)) {
                (true, false, true) | (false, true, false) => {}
                (true, ..) => return Err(Flaw::NotShown(pair)),
                (false, ..) => return Err(Flaw::Silent(pair)),
            }
        }
        Ok(())
    }

    fn settle(
        &mut self,
        claim: Claim,
        wanted: &[ClauseId],
        derivable: &[Bits],
        shown: &[Bits],
    ) -> Result<(), Flaw> {
        let met = |bits: &[Bits]| {
            wanted.iter().all(|clause| self.is_met(*clause, |fact| column(bits, fact).has(claim.set)))
        };
        match claim.is_held {
            true if met(derivable) => return Err(Flaw::NotHeld(claim.pair)),
            true => self.held.insert(claim.pair),
            false if met(shown) => self.broken.insert(claim.pair),
            false => self.doubted.insert(claim.pair),
        };
        Ok(())
    }

    /// What a pair withholds and what it wants, read from its definition.
    fn meaning(&self, pair: Breach) -> (BTreeSet<Fact>, Vec<ClauseId>) {
        let system = self.system;
        match pair {
            Breach::Requirement(number) => system.one_shots().get(number).map(|one_shot| {
                let facts = system.clause(one_shot.provider).iter().copied().collect();
                (facts, system.guards(one_shot.consumer).to_vec())
            }),
            Breach::Window(number) => system.intervals().get(number).map(|interval| {
                let facts = system.clause(interval.close).iter().copied().chain([interval.victim]).collect();
                (facts, [system.guards(interval.victim), &interval.open].concat())
            }),
        }
        .unwrap_or_default()
    }

    fn is_met(&self, clause: ClauseId, holds: impl Fn(Fact) -> bool) -> bool {
        self.system.clause(clause).iter().any(|fact| holds(*fact))
    }

    /// Every event that could happen by what the certificate lists must itself be listed.
    fn is_closed(&self, withheld: &[Bits], derivable: &[Bits]) -> Result<(), Flaw> {
        for event in self.system.facts() {
            let mut able = self.ready(event, derivable);
            able &= !column(withheld, event);
            able &= !column(derivable, event);
            if able != Bits::NONE {
                return Err(Flaw::NotClosed(event));
            }
        }
        Ok(())
    }

    /// What one walk along the given order shows to be possible without each set.
    fn shown(&self, withheld: &[Bits]) -> Vec<Bits> {
        let mut shown = vec![Bits::NONE; withheld.len()];
        for event in self.order {
            let mut able = self.ready(*event, &shown);
            able &= !column(withheld, *event);
            if let Some(bits) = shown.get_mut(event.0 as usize) {
                *bits = able;
            }
        }
        shown
    }

    /// For which sets everything that an event waits for is among the listed facts.
    fn ready(&self, event: Fact, listed: &[Bits]) -> Bits {
        let mut ready = Bits::ALL;
        for clause in self.system.waits(event) {
            let mut any = Bits::NONE;
            for fact in self.system.clause(*clause) {
                any |= column(listed, *fact);
            }
            ready &= any;
        }
        ready
    }
}

/// For each fact, the sets that withhold it.
fn withheld(certificate: &Certificate) -> Vec<Bits> {
    let mut withheld = vec![Bits::NONE; certificate.derivable.len()];
    for (set, facts) in certificate.withheld.iter().enumerate() {
        for fact in facts {
            if let Some(bits) = withheld.get_mut(fact.0 as usize) {
                bits.set(set);
            }
        }
    }
    withheld
}

/// The entry of a fact; facts beyond the end cannot happen.
fn column(bits: &[Bits], fact: Fact) -> Bits {
    bits.get(fact.0 as usize).copied().unwrap_or(Bits::NONE)
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotClosed(fact) => write!(f, "event {} can happen although it is said not to", fact.0),
            Self::WrongFacts(pair) => write!(f, "{pair:?} is about other facts than those withheld"),
            Self::NotHeld(pair) => write!(f, "{pair:?} is not shown to be held"),
            Self::NotShown(pair) => write!(f, "no run is shown that breaks {pair:?}"),
            Self::DoesNotReplay(pair, fact) => {
                write!(f, "event {} of {pair:?} cannot happen in its turn", fact.0)
            }
            Self::DoesNotFail(pair) => write!(f, "the timeline of {pair:?} ends before its failure"),
            Self::Silent(pair) => write!(f, "nothing is proved about {pair:?}"),
        }
    }
}

impl std::error::Error for Flaw {}
