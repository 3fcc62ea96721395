//! What can happen without certain facts, asked for 512 sets of withheld facts at a time.
//!
//! `derivable(event) = not withheld AND over clauses (OR over facts derivable(fact))`, evaluated in an order in which
//! the events happen when nothing is withheld, until it is stable. That is one pass where no event looks ahead in
//! that order, and a few where guards offer alternatives or turn in circles.

use crate::bits::Bits;
use crate::fact::{ClauseId, Fact, PerFact};
use crate::fixpoint::Fixpoint;
use crate::lists::{Lists, narrow};
use crate::system::System;
use std::ops::Range;

/// A system flattened for asking what can happen without certain facts.
pub(crate) struct Withholding<'a> {
    system: &'a System,
    /// The events that happen when nothing is withheld; only these can happen when something is.
    order: Vec<Fact>,
    /// For each event of `order`, what it waits for without alternative.
    single: Lists<Fact>,
    /// For each event of `order`, the clauses that offer alternatives.
    choice: Lists<ClauseId>,
    /// Whether some event waits for a fact that stands after it in `order`.
    looks_ahead: bool,
}

/// Whether some clauses can all be met without some facts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Query {
    pub(crate) withheld: Vec<Fact>,
    pub(crate) wanted: Vec<ClauseId>,
}

/// The answers for up to 512 sets of withheld facts.
pub(crate) struct Block {
    /// Which sets, by their numbers.
    pub(crate) sets: Range<u32>,
    /// For each fact, whether it can happen without each of the sets.
    pub(crate) derivable: PerFact<Bits>,
}

impl<'a> Withholding<'a> {
    /// Every way in which events can happen.
    pub(crate) fn new(system: &'a System, all: &Fixpoint) -> Self {
        Self::with_choices(system, all.order.clone(), |clause| {
            let facts = system.clause(clause);
            let mut happening = facts.iter().copied().filter(|fact| all.holds(*fact));
            match (happening.next(), happening.next()) {
                (Some(only), None) => Some(only),
                _ => None,
            }
        })
    }

    /// Only those ways in which each clause is met by the fact chosen for it, if one is.
    pub(crate) fn with_choices(
        system: &'a System,
        order: Vec<Fact>,
        chosen: impl Fn(ClauseId) -> Option<Fact>,
    ) -> Self {
        let mut place = PerFact::all(u32::MAX, system.count);
        for (number, event) in (0..).zip(&order) {
            place[*event] = number;
        }
        let (mut single, mut choice) = (Lists::new(), Lists::new());
        let mut looks_ahead = false;
        for event in &order {
            let clauses = || system.waits(*event).iter().copied();
            single.push(clauses().filter_map(&chosen));
            choice.push(clauses().filter(|clause| chosen(*clause).is_none()));
            let mut choices = clauses().filter(|clause| chosen(*clause).is_none());
            looks_ahead |=
                choices.any(|clause| system.clause(clause).iter().any(|fact| place[*fact] > place[*event]));
        }
        Self { system, order, single, choice, looks_ahead }
    }

    /// Answers queries one by one, those that withhold the same facts together.
    pub(crate) fn answer(&self, queries: &[Query]) -> Vec<bool> {
        let mut sorted: Vec<(&Query, usize)> = queries.iter().zip(0..).collect();
        sorted.sort_unstable();
        let (mut withheld, mut askers) = (Lists::new(), Lists::new());
        for group in sorted.chunk_by(|one, next| one.0.withheld == next.0.withheld) {
            withheld.push(group.iter().take(1).flat_map(|(query, _)| query.withheld.iter().copied()));
            askers.push(group.iter().copied());
        }
        let mut answers = vec![false; queries.len()];
        self.each_block(&withheld, |block| {
            let asked =
                block.sets.clone().flat_map(|set| askers.get(set).iter().map(move |asker| (set, asker)));
            for (set, (query, number)) in asked {
                if let Some(answer) = answers.get_mut(*number) {
                    *answer = block.meets(self.system, set, query.wanted.iter().copied());
                }
            }
        });
        answers
    }

    /// Answers for all sets, block after block.
    pub(crate) fn each_block(&self, sets: &Lists<Fact>, mut answer: impl FnMut(&Block)) {
        let mut withheld = PerFact::all(Bits::NONE, self.system.count);
        let mut block = Block { sets: 0..0, derivable: PerFact::all(Bits::NONE, self.system.count) };
        for first in (0..narrow(sets.len())).step_by(Bits::WIDTH) {
            block.sets = first..narrow(sets.len()).min(first + narrow(Bits::WIDTH));
            mark(&mut withheld, sets, &block.sets, Bits::set);
            self.derive(&withheld, &mut block.derivable);
            answer(&block);
            mark(&mut withheld, sets, &block.sets, |bits, _| *bits = Bits::NONE);
        }
    }

    fn derive(&self, withheld: &PerFact<Bits>, derivable: &mut PerFact<Bits>) {
        if self.looks_ahead {
            derivable.fill(Bits::NONE);
        }
        loop {
            let mut is_stable = true;
            for ((event, single), choice) in self.order.iter().zip(self.single.iter()).zip(self.choice.iter())
            {
                let mut bits = !withheld[*event];
                for fact in single {
                    bits &= derivable[*fact];
                }
                for clause in choice {
                    bits &= any_of(self.system.clause(*clause), derivable);
                }
                is_stable &= derivable[*event] == bits;
                derivable[*event] = bits;
            }
            if is_stable || !self.looks_ahead {
                break;
            }
        }
    }
}

impl Block {
    /// Whether every one of these clauses can be met without a set.
    pub(crate) fn meets(
        &self,
        system: &System,
        set: u32,
        mut clauses: impl Iterator<Item = ClauseId>,
    ) -> bool {
        let bit = (set - self.sets.start) as usize;
        clauses.all(|clause| system.clause(clause).iter().any(|fact| self.derivable[*fact].has(bit)))
    }
}

fn any_of(facts: &[Fact], derivable: &PerFact<Bits>) -> Bits {
    let mut bits = Bits::NONE;
    for fact in facts {
        bits |= derivable[*fact];
    }
    bits
}

fn mark(
    column: &mut PerFact<Bits>,
    sets: &Lists<Fact>,
    range: &Range<u32>,
    change: impl Fn(&mut Bits, usize),
) {
    for (bit, set) in range.clone().enumerate() {
        for fact in sets.get(set) {
            change(&mut column[*fact], bit);
        }
    }
}
