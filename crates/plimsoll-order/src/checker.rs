//! An independent check of certificates and timelines. It shares the words of the system with the analysis and not
//! one line of its reasoning: nothing here searches, everything given is only looked at once.

mod chain;
mod sets;
mod walk;

use crate::certificate::{Certificate, Claim};
use crate::fact::{ClauseId, Fact};
use crate::flaw::Flaw;
use crate::lists::Lists;
use crate::system::{Breach, System};
use rustc_hash::FxHashSet;

/// Follows the proofs of one system and notes what has been proved.
pub struct Checker<'a> {
    system: &'a System,
    /// One run of the system; what does not happen in it never happens.
    run: &'a [Fact],
    /// The position of each fact in the run.
    place: Vec<Option<u32>>,
    /// For each fact, the events that wait for a clause with it.
    followers: Lists<Fact>,
    held: FxHashSet<Breach>,
    broken: FxHashSet<Breach>,
}

impl<'a> Checker<'a> {
    /// A checker that has followed one run of a system, which must be one and must not end early.
    pub fn new(system: &'a System, run: &'a [Fact]) -> Result<Self, Flaw> {
        let (held, broken) = (FxHashSet::default(), FxHashSet::default());
        let place = vec![None; system.facts().count()];
        let mut checker = Self { system, run, place, followers: followers(system), held, broken };
        for (position, event) in (0..).zip(run) {
            if !checker.is_free(*event) {
                return Err(Flaw::NoRun(*event));
            }
            if let Some(place) = checker.place.get_mut(event.0 as usize) {
                *place = Some(position);
            }
        }
        let happens_not = |event: &Fact| checker.place_of(*event).is_none();
        match system.facts().filter(happens_not).find(|event| checker.is_free(*event)) {
            Some(event) => Err(Flaw::NotImpossible(event)),
            None => Ok(checker),
        }
    }

    /// Follows a certificate.
    pub fn follow(&mut self, certificate: &Certificate) -> Result<(), Flaw> {
        match certificate {
            Certificate::Chain(chain) => chain::follow(self, chain)?,
            Certificate::Sets(sets) => sets::follow(self, sets)?,
        }
        for Claim { pair, is_held, .. } in certificate.claims() {
            let proved = if *is_held { &mut self.held } else { &mut self.broken };
            proved.insert(*pair);
        }
        Ok(())
    }

    /// Whether everything has been proved: every one of `races` is broken by some run, everything else is held.
    pub fn finish(&self, races: &[Breach]) -> Result<(), Flaw> {
        let races: FxHashSet<Breach> = races.iter().copied().collect();
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

    /// Whether an event waits for nothing more at the point of the run that has been reached.
    fn is_free(&self, event: Fact) -> bool {
        let has_happened = |fact: Fact| self.place_of(fact).is_some();
        self.system.waits(event).iter().all(|clause| is_met(self.system, *clause, has_happened))
    }

    fn place_of(&self, fact: Fact) -> Option<u32> {
        self.place.get(fact.0 as usize).copied().flatten()
    }
}

fn followers(system: &System) -> Lists<Fact> {
    let mut pairs = Vec::new();
    for event in system.facts() {
        let facts = system.waits(event).iter().flat_map(|clause| system.clause(*clause));
        pairs.extend(facts.map(|fact| (fact.0, event)));
    }
    Lists::grouped(system.facts().count(), &pairs)
}

/// Replays the events of a timeline up to its failure: each must be able to happen in its turn, none may be what the
/// pair is without, and in the end the reader must wait for nothing more.
pub fn replay(system: &System, pair: Breach, events: &[Fact]) -> Result<(), Flaw> {
    let (withheld, wanted) = meaning(system, pair);
    let mut happened = vec![false; system.facts().count()];
    let has_happened = |happened: &[bool], fact: Fact| happened.get(fact.0 as usize) == Some(&true);
    for event in events {
        let mut waits = system.waits(*event).iter();
        let may_happen = waits.all(|clause| is_met(system, *clause, |fact| has_happened(&happened, fact)));
        if !may_happen || withheld.contains(event) {
            return Err(Flaw::DoesNotReplay(pair, *event));
        }
        if let Some(slot) = happened.get_mut(event.0 as usize) {
            *slot = true;
        }
    }
    if wanted.iter().all(|clause| is_met(system, *clause, |fact| has_happened(&happened, fact))) {
        return Ok(());
    }
    Err(Flaw::DoesNotFail(pair))
}

/// What a pair withholds and what it wants, read from its definition.
fn meaning(system: &System, pair: Breach) -> (Vec<Fact>, Vec<ClauseId>) {
    match pair {
        Breach::Requirement(number) => system.one_shots().get(number).map(|one_shot| {
            let facts = sorted(system.clause(one_shot.provider).to_vec());
            (facts, system.guards(one_shot.consumer).to_vec())
        }),
        Breach::Window(number) => system.intervals().get(number).map(|interval| {
            let facts = sorted([system.clause(interval.close), &[interval.victim]].concat());
            (facts, [system.guards(interval.victim), &interval.open].concat())
        }),
    }
    .unwrap_or_default()
}

fn is_met(system: &System, clause: ClauseId, holds: impl Fn(Fact) -> bool) -> bool {
    system.clause(clause).iter().any(|fact| holds(*fact))
}

/// A set of facts, each once.
fn sorted(mut facts: Vec<Fact>) -> Vec<Fact> {
    facts.sort_unstable();
    facts.dedup();
    facts
}
