//! What can happen without certain facts, asked for 512 sets of withheld facts at a time.
//!
//! `derivable(event) = not withheld AND over clauses (OR over facts derivable(fact))`, evaluated in an order in which
//! the events happen when nothing is withheld, until it is stable. What stands before the first withheld fact in that
//! order happens without it, and what stands behind everything asked for does not matter; so questions are sorted
//! by the stretch of the order between the two, and each block of questions looks at its stretch only.

use crate::bits::Bits;
use crate::fact::{ClauseId, Fact, PerFact};
use crate::fixpoint::Fixpoint;
use crate::lists::{Lists, narrow};
use crate::system::System;
use std::ops::Range;

/// Whether some clauses can all be met without some facts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Query {
    pub(crate) withheld: Vec<Fact>,
    pub(crate) wanted: Vec<ClauseId>,
}

/// A system flattened for asking what can happen without certain facts.
pub(crate) struct Withholding<'a> {
    system: &'a System,
    /// The events that happen when nothing is withheld; only these can happen when something is.
    order: Vec<Fact>,
    /// The position of each fact in `order`, if it has one.
    place: PerFact<Option<u32>>,
    /// For each event of `order`, what it waits for without alternative.
    single: Lists<Fact>,
    /// For each event of `order`, the clauses that offer alternatives.
    choice: Lists<ClauseId>,
    /// For each event of `order`, the last position of anything it waits for.
    furthest: Vec<u32>,
}

/// The answers for up to 512 sets of withheld facts.
pub(crate) struct Block<'b> {
    system: &'b System,
    /// The sets, with what is asked of each.
    pub(crate) groups: &'b [Group<'b>],
    /// The events that were looked at; all others can happen, if they ever do.
    pub(crate) events: &'b [Fact],
    /// For each fact, whether it can happen without each of the sets.
    pub(crate) derivable: &'b PerFact<Bits>,
}

/// Queries that withhold the same facts.
pub(crate) struct Group<'q> {
    /// The queries with their numbers.
    queries: &'q [(&'q Query, usize)],
    /// From the first withheld fact to the last that is asked for.
    stretch: Range<u32>,
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
        let mut place = PerFact::all(None, system.count);
        for (number, event) in (0..).zip(&order) {
            place[*event] = Some(number);
        }
        let (mut single, mut choice) = (Lists::new(), Lists::new());
        let mut furthest = Vec::with_capacity(order.len());
        for event in &order {
            let clauses = || system.waits(*event).iter().copied();
            let choices = || clauses().filter(|clause| chosen(*clause).is_none());
            single.push(clauses().filter_map(&chosen));
            choice.push(choices());
            // What has no alternative stands before the event that waits for it.
            furthest.push(last_place(system, &place, choices()).unwrap_or_default());
        }
        Self { system, order, place, single, choice, furthest }
    }

    /// Answers queries one by one.
    pub(crate) fn answer(&self, queries: &[Query]) -> Vec<bool> {
        let mut answers = vec![false; queries.len()];
        self.each_block(queries, |block| {
            for (number, _, is_possible) in block.answers() {
                if let Some(answer) = answers.get_mut(number) {
                    *answer = is_possible;
                }
            }
        });
        answers
    }

    /// Answers all queries, block after block.
    pub(crate) fn each_block(&self, queries: &[Query], mut take: impl FnMut(&Block)) {
        let mut sorted: Vec<(&Query, usize)> = queries.iter().zip(0..).collect();
        sorted.sort_unstable();
        let groups = sorted.chunk_by(|one, next| one.0.withheld == next.0.withheld);
        let mut groups: Vec<Group> = groups.map(|queries| self.group(queries)).collect();
        // Stretches of like length side by side, so that one long stretch does not lengthen every block.
        groups.sort_by_key(|group| (group.stretch.len().checked_ilog2(), group.stretch.start));
        let mut withheld = PerFact::all(Bits::NONE, self.system.count);
        let mut derivable = PerFact::all(Bits::NONE, self.system.count);
        for event in &self.order {
            derivable[*event] = Bits::ALL;
        }
        for groups in groups.chunks(Bits::WIDTH) {
            mark(&mut withheld, groups, Bits::set);
            let stretch = self.stretch(groups);
            self.derive(stretch.clone(), &withheld, &mut derivable);
            let events = self.order.get(stretch).unwrap_or_default();
            take(&Block { system: self.system, groups, events, derivable: &derivable });
            mark(&mut withheld, groups, |bits, _| *bits = Bits::NONE);
            for event in events {
                derivable[*event] = Bits::ALL;
            }
        }
    }

    fn group<'q>(&self, queries: &'q [(&'q Query, usize)]) -> Group<'q> {
        let withheld = queries.iter().take(1).flat_map(|(query, _)| &query.withheld);
        let start = withheld.filter_map(|fact| self.place[*fact]).min();
        let wanted = queries.iter().flat_map(|(query, _)| query.wanted.iter().copied());
        let end = last_place(self.system, &self.place, wanted).map(|last| last + 1);
        let stretch = start.zip(end).map_or(0..0, |(start, end)| start..end.max(start));
        Group { queries, stretch }
    }

    /// The stretch of all groups, as far ahead as any event in it looks.
    fn stretch(&self, groups: &[Group]) -> Range<usize> {
        let stretches = || groups.iter().map(|group| &group.stretch).filter(|stretch| !stretch.is_empty());
        let start = stretches().map(|stretch| stretch.start as usize).min().unwrap_or_default();
        let mut end = stretches().map(|stretch| stretch.end as usize).max().unwrap_or_default();
        for (place, furthest) in self.furthest.iter().enumerate().skip(start) {
            if place >= end {
                break;
            }
            end = end.max(*furthest as usize + 1);
        }
        start..end
    }

    fn derive(&self, stretch: Range<usize>, withheld: &PerFact<Bits>, derivable: &mut PerFact<Bits>) {
        let events = self.order.get(stretch.clone()).unwrap_or_default();
        for event in events {
            derivable[*event] = Bits::NONE;
        }
        let looks_ahead = (stretch.start..).zip(self.furthest.get(stretch.clone()).unwrap_or_default());
        let looks_ahead = looks_ahead.into_iter().any(|(place, furthest)| *furthest as usize >= place);
        let mut is_stable = false;
        while !is_stable {
            is_stable = true;
            for (place, event) in (narrow(stretch.start)..).zip(events) {
                let mut bits = !withheld[*event];
                for fact in self.single.get(place) {
                    bits &= derivable[*fact];
                }
                for clause in self.choice.get(place) {
                    bits &= any_of(self.system.clause(*clause), derivable);
                }
                is_stable &= !looks_ahead || derivable[*event] == bits;
                derivable[*event] = bits;
            }
        }
    }
}

impl Block<'_> {
    /// For each query its number, the position of its set, and whether it is possible.
    pub(crate) fn answers(&self) -> impl Iterator<Item = (usize, usize, bool)> {
        self.groups.iter().enumerate().flat_map(move |(set, group)| {
            group.queries.iter().map(move |(query, number)| (*number, set, self.meets(set, &query.wanted)))
        })
    }

    fn meets(&self, set: usize, clauses: &[ClauseId]) -> bool {
        let is_met =
            |clause: &ClauseId| self.system.clause(*clause).iter().any(|fact| self.derivable[*fact].has(set));
        clauses.iter().all(is_met)
    }
}

impl Group<'_> {
    /// The withheld facts.
    pub(crate) fn withheld(&self) -> &[Fact] {
        self.queries.first().map_or(&[], |(query, _)| &query.withheld)
    }
}

fn last_place(
    system: &System,
    place: &PerFact<Option<u32>>,
    clauses: impl Iterator<Item = ClauseId>,
) -> Option<u32> {
    clauses.flat_map(|clause| system.clause(clause)).filter_map(|fact| place[*fact]).max()
}

fn any_of(facts: &[Fact], derivable: &PerFact<Bits>) -> Bits {
    let mut bits = Bits::NONE;
    for fact in facts {
        bits |= derivable[*fact];
    }
    bits
}

fn mark(column: &mut PerFact<Bits>, groups: &[Group], change: impl Fn(&mut Bits, usize)) {
    for (set, group) in groups.iter().enumerate() {
        for fact in group.withheld() {
            change(&mut column[*fact], set);
        }
    }
}
