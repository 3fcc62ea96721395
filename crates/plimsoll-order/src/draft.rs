//! A system while it is being put together.

use crate::fact::{ClauseId, Fact};
use crate::lists::{Lists, narrow};
use crate::system::{Interval, OneShot, System};
use plimsoll_model::Delay;
use rustc_hash::FxHashMap;

/// A [`System`] while it is being put together.
#[derive(Debug, Clone)]
pub struct Draft {
    delays: Vec<Delay>,
    absent: Vec<bool>,
    clauses: Lists<Fact>,
    /// The clause of each fact alone, if there is one; most clauses are of this kind.
    alone: Vec<Option<ClauseId>>,
    /// The other clauses met so far, so that equal ones share a number.
    known: FxHashMap<Box<[Fact]>, ClauseId>,
    guards: Vec<(u32, ClauseId)>,
    one_shots: Vec<OneShot>,
    intervals: Vec<Interval>,
}

impl Draft {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self {
            delays: Vec::new(),
            absent: Vec::new(),
            clauses: Lists::new(),
            alone: Vec::new(),
            known: FxHashMap::default(),
            guards: Vec::new(),
            one_shots: Vec::new(),
            intervals: Vec::new(),
        }
    }

    /// Takes a finished system up again, to add to it.
    #[must_use]
    pub fn of(system: &System) -> Self {
        let guards = system
            .facts()
            .flat_map(|event| system.guards(event).iter().map(move |clause| (event.0, *clause)));
        let mut draft = Self {
            delays: system.facts().map(|fact| system.delays[fact]).collect(),
            absent: system.facts().map(|fact| system.absent[fact]).collect(),
            clauses: system.clauses.clone(),
            guards: guards.collect(),
            one_shots: system.one_shots.clone(),
            intervals: system.intervals.clone(),
            ..Self::new()
        };
        for (clause, facts) in (0..).map(ClauseId).zip(system.clauses.iter()) {
            draft.note(facts, clause);
        }
        draft
    }

    /// Adds an event that takes some time, and the fact it adds.
    pub fn event(&mut self, delay: Delay) -> Fact {
        self.delays.push(delay);
        self.absent.push(false);
        Fact(narrow(self.delays.len() - 1))
    }

    /// How many facts there are.
    pub(crate) fn count(&self) -> usize {
        self.delays.len()
    }

    /// Says that nobody brings a fact about.
    pub fn forbid(&mut self, fact: Fact) {
        let impossible = self.clause(Vec::new());
        self.guard(fact, impossible);
        if let Some(absent) = self.absent.get_mut(fact.0 as usize) {
            *absent = true;
        }
    }

    /// Says how long an event takes.
    pub fn takes(&mut self, event: Fact, delay: Delay) {
        if let Some(slot) = self.delays.get_mut(event.0 as usize) {
            *slot = delay;
        }
    }

    /// The clause of which any of these facts is enough.
    pub fn clause(&mut self, mut facts: Vec<Fact>) -> ClauseId {
        facts.sort_unstable();
        facts.dedup();
        let known = match facts.as_slice() {
            [fact] => self.alone.get(fact.0 as usize).copied().flatten(),
            facts => self.known.get(facts).copied(),
        };
        known.unwrap_or_else(|| {
            let clause = ClauseId(self.clauses.push(facts.iter().copied()));
            self.note(&facts, clause);
            clause
        })
    }

    fn note(&mut self, facts: &[Fact], clause: ClauseId) {
        if let [fact] = facts {
            let place = fact.0 as usize;
            self.alone.resize(self.alone.len().max(place + 1), None);
            if let Some(slot) = self.alone.get_mut(place) {
                *slot = Some(clause);
            }
        } else {
            self.known.insert(facts.into(), clause);
        }
    }

    /// Makes an event wait for a clause.
    pub fn guard(&mut self, event: Fact, clause: ClauseId) {
        self.guards.push((event.0, clause));
    }

    /// Makes an event read a clause once; requirements are numbered in the order in which they are added.
    pub fn requirement(&mut self, one_shot: OneShot) {
        self.one_shots.push(one_shot);
    }

    /// Adds a window; windows are numbered in the order in which they are added.
    pub fn window(&mut self, interval: Interval) {
        self.intervals.push(interval);
    }

    /// The finished system.
    #[must_use]
    pub fn finish(self) -> System {
        let count = self.delays.len();
        let required = self.one_shots.iter().filter(|one_shot| one_shot.stops);
        let mut waits = self.guards.clone();
        waits.extend(required.map(|one_shot| (one_shot.consumer.0, one_shot.provider)));
        let needs: Vec<_> =
            (0..).zip(&self.one_shots).map(|(number, need)| (need.consumer.0, number)).collect();
        let waiting_for: Vec<_> = waits.iter().map(|(event, clause)| (clause.0, Fact(*event))).collect();
        let mut clauses_with = Vec::new();
        for (number, facts) in (0..).zip(self.clauses.iter()) {
            clauses_with.extend(facts.iter().map(|fact| (fact.0, ClauseId(number))));
        }
        System {
            guards: Lists::grouped(count, &self.guards),
            waits: Lists::grouped(count, &waits),
            needs: Lists::grouped(count, &needs),
            clauses_with: Lists::grouped(count, &clauses_with),
            waiting_for: Lists::grouped(self.clauses.len(), &waiting_for),
            clauses: self.clauses,
            delays: self.delays.into(),
            absent: self.absent.into(),
            one_shots: self.one_shots,
            intervals: self.intervals,
            count,
        }
    }
}

impl Default for Draft {
    fn default() -> Self {
        Self::new()
    }
}
