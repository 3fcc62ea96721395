//! An independent check of certificates and timelines. It shares the words of the system with the analysis and not
//! one line of its reasoning: nothing here searches, everything given is only looked at once.

use crate::bits::Bits;
use crate::certificate::{Certificate, Claim};
use crate::fact::{ClauseId, Fact};
use crate::flaw::Flaw;
use crate::system::{Breach, System};
use std::collections::BTreeSet;

/// Follows the proofs of one system and notes what has been proved.
pub struct Checker<'a> {
    system: &'a System,
    /// One run of the system; what does not happen in it never happens.
    run: &'a [Fact],
    /// The position of each fact in the run.
    place: Vec<Option<usize>>,
    /// For each fact, the sets without which it cannot happen, by the certificate at hand.
    impossible: Vec<Bits>,
    /// For each fact, the sets that withhold it, by the certificate at hand.
    withheld: Vec<Bits>,
    held: BTreeSet<Breach>,
    broken: BTreeSet<Breach>,
}

impl<'a> Checker<'a> {
    /// A checker that has followed one run of a system, which must be one and must not end early.
    pub fn new(system: &'a System, run: &'a [Fact]) -> Result<Self, Flaw> {
        let count = system.facts().count();
        let mut checker = Self {
            system,
            run,
            place: vec![None; count],
            impossible: vec![Bits::ALL; count],
            withheld: vec![Bits::NONE; count],
            held: BTreeSet::new(),
            broken: BTreeSet::new(),
        };
        for (position, event) in run.iter().enumerate() {
            if checker.stays_impossible(*event) != Bits::NONE {
                return Err(Flaw::NoRun(*event));
            }
            entry(&mut checker.place, *event, |place| *place = Some(position));
            entry(&mut checker.impossible, *event, |bits| *bits = Bits::NONE);
        }
        for event in system.facts().filter(|fact| checker.place_of(*fact).is_none()) {
            if checker.stays_impossible(event) != Bits::ALL {
                return Err(Flaw::NotImpossible(event));
            }
        }
        Ok(checker)
    }

    /// Follows a certificate.
    pub fn follow(&mut self, certificate: &Certificate) -> Result<(), Flaw> {
        self.withhold(certificate, Bits::set);
        for (fact, bits) in &certificate.impossible {
            entry(&mut self.impossible, *fact, |known| *known |= *bits);
        }
        let verdict = self.examine(certificate);
        for (fact, _) in &certificate.impossible {
            let never = if self.place_of(*fact).is_some() { Bits::NONE } else { Bits::ALL };
            entry(&mut self.impossible, *fact, |bits| *bits = never);
        }
        self.withhold(certificate, |bits, _| *bits = Bits::NONE);
        verdict
    }

    fn withhold(&mut self, certificate: &Certificate, change: impl Fn(&mut Bits, usize)) {
        for (set, facts) in certificate.withheld.iter().enumerate() {
            for fact in facts {
                entry(&mut self.withheld, *fact, |bits| change(bits, set));
            }
        }
    }

    fn examine(&mut self, certificate: &Certificate) -> Result<(), Flaw> {
        for (event, bits) in &certificate.impossible {
            let mut unfounded = *bits;
            unfounded &= !self.stays_impossible(*event);
            if unfounded != Bits::NONE {
                return Err(Flaw::NotImpossible(*event));
            }
        }
        let shown = self.show(certificate);
        for claim in &certificate.claims {
            let (facts, wanted) = meaning(self.system, claim.pair);
            let given = certificate.withheld.get(claim.set).into_iter().flatten().copied();
            if facts != given.collect() {
                return Err(Flaw::WrongFacts(claim.pair));
            }
            self.settle(*claim, &wanted, &shown)?;
        }
        Ok(())
    }

    /// Without which sets an event cannot be the first of all impossible events to happen.
    fn stays_impossible(&self, event: Fact) -> Bits {
        let mut stays = column(&self.withheld, event);
        for clause in self.system.waits(event) {
            let mut all = Bits::ALL;
            for fact in self.system.clause(*clause) {
                all &= column(&self.impossible, *fact);
            }
            stays |= all;
        }
        stays
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

    fn settle(&mut self, claim: Claim, wanted: &[ClauseId], shown: &Shown) -> Result<(), Flaw> {
        let met = |holds: &dyn Fn(Fact) -> Bits| {
            wanted.iter().all(|clause| is_met(self.system, *clause, |fact| holds(fact).has(claim.set)))
        };
        if claim.is_held {
            if met(&|fact| !column(&self.impossible, fact)) {
                return Err(Flaw::NotHeld(claim.pair));
            }
            self.held.insert(claim.pair);
        } else {
            if !met(&|fact| shown.at(self.place_of(fact))) {
                return Err(Flaw::NotShown(claim.pair));
            }
            self.broken.insert(claim.pair);
        }
        Ok(())
    }

    /// Walks along the run as far as the broken pairs of a certificate ask, noting what is possible without each set
    /// by what was noted before. What the run has before the first withheld fact, it has without any of them.
    fn show(&self, certificate: &Certificate) -> Shown {
        let withheld = certificate.withheld.iter().flatten().filter_map(|fact| self.place_of(*fact));
        let start = withheld.min().unwrap_or(self.run.len());
        let broken = certificate.claims.iter().filter(|claim| !claim.is_held);
        let wanted = broken.flat_map(|claim| meaning(self.system, claim.pair).1);
        let facts = wanted.flat_map(|clause| self.system.clause(clause));
        let end = facts.filter_map(|fact| self.place_of(*fact)).max().map_or(0, |last| last + 1);
        let mut shown = Shown { start, bits: vec![Bits::NONE; end.saturating_sub(start)] };
        while self.walk(&mut shown) {}
        shown
    }

    /// One walk along the run. Returns whether another may show more: something was noted, and alternatives that
    /// stand later in the run are waited for.
    fn walk(&self, shown: &mut Shown) -> bool {
        let (mut looks_ahead, mut grows, mut steps) = (false, false, 0);
        while steps < shown.bits.len() {
            let position = shown.start + steps;
            let Some(event) = self.run.get(position) else { break };
            let mut able = !column(&self.withheld, *event);
            for clause in self.system.waits(*event) {
                let mut any = Bits::NONE;
                for place in self.system.clause(*clause).iter().filter_map(|fact| self.place_of(*fact)) {
                    looks_ahead |= place >= position;
                    shown.reach(place);
                    any |= shown.at(Some(place));
                }
                able &= any;
            }
            grows |= shown.note(steps, able);
            steps += 1;
        }
        looks_ahead && grows
    }

    fn place_of(&self, fact: Fact) -> Option<usize> {
        self.place.get(fact.0 as usize).copied().flatten()
    }
}

/// What a walk along a run shows to be possible without each set.
struct Shown {
    /// Where the walk begins; everything before is possible.
    start: usize,
    /// The events walked over.
    bits: Vec<Bits>,
}

impl Shown {
    fn at(&self, place: Option<usize>) -> Bits {
        match place {
            Some(place) if place < self.start => Bits::ALL,
            Some(place) => self.bits.get(place - self.start).copied().unwrap_or(Bits::NONE),
            None => Bits::NONE,
        }
    }

    /// Makes the walk go as far as a place.
    fn reach(&mut self, place: usize) {
        let steps = (place + 1).saturating_sub(self.start);
        if steps > self.bits.len() {
            self.bits.resize(steps, Bits::NONE);
        }
    }

    /// Notes what one step shows; returns whether that is new.
    fn note(&mut self, step: usize, able: Bits) -> bool {
        self.bits.get_mut(step).is_some_and(|bits| std::mem::replace(bits, able) != able)
    }
}

/// Replays the events of a timeline up to its failure: each must be able to happen in its turn, none may be what the
/// pair is without, and in the end the reader must wait for nothing more.
pub fn replay(system: &System, pair: Breach, events: &[Fact]) -> Result<(), Flaw> {
    let (withheld, wanted) = meaning(system, pair);
    let mut happened = vec![false; system.facts().count()];
    let holds = |happened: &[bool], fact: Fact| happened.get(fact.0 as usize).copied().unwrap_or(false);
    for event in events {
        let mut waits = system.waits(*event).iter();
        let may_happen = waits.all(|clause| is_met(system, *clause, |fact| holds(&happened, fact)));
        if !may_happen || withheld.contains(event) {
            return Err(Flaw::DoesNotReplay(pair, *event));
        }
        entry(&mut happened, *event, |entry| *entry = true);
    }
    if wanted.iter().all(|clause| is_met(system, *clause, |fact| holds(&happened, fact))) {
        return Ok(());
    }
    Err(Flaw::DoesNotFail(pair))
}

/// What a pair withholds and what it wants, read from its definition.
fn meaning(system: &System, pair: Breach) -> (BTreeSet<Fact>, Vec<ClauseId>) {
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

fn is_met(system: &System, clause: ClauseId, holds: impl Fn(Fact) -> bool) -> bool {
    system.clause(clause).iter().any(|fact| holds(*fact))
}

fn entry<T>(column: &mut [T], fact: Fact, change: impl FnOnce(&mut T)) {
    if let Some(entry) = column.get_mut(fact.0 as usize) {
        change(entry);
    }
}

/// The entry of a fact.
fn column(bits: &[Bits], fact: Fact) -> Bits {
    bits.get(fact.0 as usize).copied().unwrap_or(Bits::NONE)
}
