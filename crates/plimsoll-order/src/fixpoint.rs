//! Convergence: what happens where nothing fails, in an order in which it can happen.
//!
//! Guards are monotone, so every run that never fails ends with the same facts: the least fixpoint.

use crate::fact::{ClauseId, Fact, PerClause, PerFact};
use crate::system::System;

/// Everything that happens where nothing fails and some facts are withheld.
#[derive(Debug, Clone)]
pub struct Fixpoint {
    /// The events in one order in which they can happen.
    pub order: Vec<Fact>,
    happened: PerFact<bool>,
}

impl Fixpoint {
    /// Lets everything happen that can without the withheld facts.
    #[must_use]
    pub fn without(system: &System, withheld: &[Fact]) -> Self {
        let mut happened = PerFact::all(false, system.count);
        let mut countdown = Countdown::new(system);
        let mut order = Vec::with_capacity(system.count);
        let may_happen = |fact: &Fact| !withheld.contains(fact);
        order.extend(system.facts().filter(|event| countdown.is_over(*event)).filter(may_happen));
        let mut next = 0;
        while let Some(&event) = order.get(next) {
            happened[event] = true;
            next += 1;
            countdown.happen(event, |_| {}, |freed| order.extend(Some(freed).filter(may_happen)));
        }
        Self { order, happened }
    }

    /// Whether a fact comes about.
    #[must_use]
    pub fn holds(&self, fact: Fact) -> bool {
        self.happened[fact]
    }

    /// Whether a clause is satisfied in the end.
    #[must_use]
    pub fn satisfies(&self, facts: &[Fact]) -> bool {
        facts.iter().any(|fact| self.happened[*fact])
    }
}

/// How many clauses each event still waits for.
pub(crate) struct Countdown<'a> {
    system: &'a System,
    missing: PerFact<u32>,
    is_met: PerClause<bool>,
}

impl<'a> Countdown<'a> {
    pub(crate) fn new(system: &'a System) -> Self {
        let missing: Vec<u32> =
            system.waits.iter().map(|clauses| crate::lists::narrow(clauses.len())).collect();
        Self { system, missing: missing.into(), is_met: PerClause::all(false, system.clauses.len()) }
    }

    /// Whether an event waits for nothing more.
    pub(crate) fn is_over(&self, event: Fact) -> bool {
        self.missing[event] == 0
    }

    /// Notes that a fact has come about; names the clauses it is the first to meet and the events it sets free.
    pub(crate) fn happen(&mut self, fact: Fact, mut met: impl FnMut(ClauseId), mut freed: impl FnMut(Fact)) {
        for &clause in self.system.clauses_with.get(fact.0) {
            if std::mem::replace(&mut self.is_met[clause], true) {
                continue;
            }
            met(clause);
            for &event in self.system.waiting_for.get(clause.0) {
                self.missing[event] -= 1;
                if self.missing[event] == 0 {
                    freed(event);
                }
            }
        }
    }
}
