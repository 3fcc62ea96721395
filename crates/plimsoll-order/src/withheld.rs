//! What can happen without certain facts, asked for 512 sets of withheld facts at a time.
//!
//! `derivable(event) = not withheld AND over clauses (OR over facts derivable(fact))`, evaluated in an order in which
//! the events happen when nothing is withheld, until it is stable. Only what waits, directly or not, for a withheld
//! fact is looked at: the [`Wake`] of the withheld facts. Everything else happens as it does without any question.
//! Questions about links of the longest chain are answered together, by the [`Spine`].

use crate::bits::Bits;
use crate::fact::{ClauseId, Fact, PerFact};
use crate::fixpoint::Fixpoint;
use crate::lists::Lists;
use crate::spine::Spine;
use crate::system::System;
use crate::wake::Wake;
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
    /// For each event of `order`, the positions of what it waits for without alternative.
    single: Lists<u32>,
    /// For each event of `order`, the clauses that offer alternatives.
    choice: Lists<ClauseId>,
    /// For each event of `order`, the last position of anything it waits for.
    furthest: Vec<u32>,
    spine: Option<Spine>,
}

/// The answers for up to 512 sets of withheld facts.
pub(crate) struct Block<'b> {
    withholding: &'b Withholding<'b>,
    /// The sets, with what is asked of each.
    pub(crate) groups: &'b [Group<'b>],
    /// What the withheld facts make a difference to; all other events can happen, if they ever do.
    wake: &'b Wake,
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
            single.push(clauses().filter_map(&chosen).filter_map(|fact| place[fact]));
            choice.push(choices());
            // What has no alternative stands before the event that waits for it.
            furthest.push(last_place(system, &place, choices()).unwrap_or_default());
        }
        let spine = Spine::of(system, &place, &single, &choice);
        Self { system, order, place, single, choice, furthest, spine }
    }

    /// Answers queries one by one.
    pub(crate) fn answer(&self, queries: &[Query]) -> Vec<bool> {
        let mut answers = vec![false; queries.len()];
        let mut note = |number: usize, is_possible: bool| {
            if let Some(answer) = answers.get_mut(number) {
                *answer = is_possible;
            }
        };
        for (number, _, is_possible) in self.along_spine(queries) {
            note(number, is_possible);
        }
        self.each_block(queries, |block| {
            for (number, _, is_possible) in block.answers() {
                note(number, is_possible);
            }
        });
        answers
    }

    /// The answers that the spine gives: the number of each query, the link it is about, and whether it is possible.
    pub(crate) fn along_spine(&self, queries: &[Query]) -> impl Iterator<Item = (usize, u32, bool)> {
        let answers = queries.iter().enumerate();
        answers
            .filter_map(|(number, query)| self.by_spine(query).map(|(link, answer)| (number, link, answer)))
    }

    /// The links of the spine; none if there is no spine.
    pub(crate) fn links(&self) -> Vec<Fact> {
        self.spine.as_ref().map_or_else(Vec::new, |spine| spine.links(&self.order))
    }

    /// How many links each event needs, if it needs any.
    pub(crate) fn levels(&self) -> Vec<(Fact, u32)> {
        let level = |place| self.spine.as_ref().map_or(0, |spine| spine.level(place));
        let levels = (0..).zip(&self.order).map(|(place, event)| (*event, level(place)));
        levels.filter(|(_, level)| *level > 0).collect()
    }

    /// The first link that a query withholds and whether the query is possible, if the spine tells: it is not
    /// without that link alone, or links are all that is withheld.
    fn by_spine(&self, query: &Query) -> Option<(u32, bool)> {
        let spine = self.spine.as_ref()?;
        let places = || query.withheld.iter().filter_map(|fact| self.place[*fact]);
        let first = places().filter_map(|place| spine.link(place)).min()?;
        let is_free = |fact: &Fact| self.place[*fact].is_some_and(|place| spine.level(place) <= first);
        let is_met = |clause: &ClauseId| self.system.clause(*clause).iter().any(is_free);
        let is_possible = query.wanted.iter().all(is_met);
        let is_told = !is_possible || places().all(|place| spine.link(place).is_some());
        is_told.then_some((first, is_possible))
    }

    /// Answers all queries that the spine does not, block after block.
    pub(crate) fn each_block(&self, queries: &[Query], mut take: impl FnMut(&Block)) {
        let rest = queries.iter().zip(0..).filter(|(query, _)| self.by_spine(query).is_none());
        let mut sorted: Vec<(&Query, usize)> = rest.collect();
        sorted.sort_unstable();
        let groups = sorted.chunk_by(|one, next| one.0.withheld == next.0.withheld);
        let mut groups: Vec<Group> = groups.map(|queries| self.group(queries)).collect();
        // Stretches of like length side by side, so that one long stretch does not lengthen every block.
        groups.sort_by_key(|group| (group.stretch.len().checked_ilog2(), group.stretch.start));
        let mut wake = Wake::new(self.order.len());
        let mut rest = groups.as_slice();
        while let Some((groups, others)) = rest.split_at_checked(fitting(rest)).filter(|_| !rest.is_empty()) {
            self.grow(&mut wake, groups);
            self.derive(&mut wake);
            take(&Block { withholding: self, groups, wake: &wake });
            wake.clear();
            rest = others;
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

    /// Everything behind the withheld facts up to the last that is asked for, and as far ahead as any of it looks.
    fn grow(&self, wake: &mut Wake, groups: &[Group]) {
        for (set, group) in groups.iter().enumerate() {
            for place in group.withheld().iter().filter_map(|fact| self.place[*fact]) {
                wake.withhold(place, set);
            }
        }
        let mut end = groups.iter().map(|group| group.stretch.end).max().unwrap_or_default();
        while wake.spread(end, |place| self.followers(place)) {
            end = wake
                .places()
                .filter_map(|place| self.furthest.get(place as usize))
                .fold(end, |end, ahead| end.max(ahead + 1));
        }
        wake.sort();
    }

    /// The positions of the events that wait for a clause with the event at a position.
    fn followers(&self, place: u32) -> impl Iterator<Item = u32> {
        let clauses =
            self.order.get(place as usize).map_or(&[][..], |fact| self.system.clauses_with.get(fact.0));
        let events = clauses.iter().flat_map(|clause| self.system.waiting_for.get(clause.0));
        events.filter_map(|event| self.place[*event])
    }

    fn derive(&self, wake: &mut Wake) {
        let furthest = |place: u32| self.furthest.get(place as usize).copied().unwrap_or_default();
        let looks_ahead = wake.places().any(|place| furthest(place) >= place);
        let mut is_stable = false;
        while !is_stable {
            is_stable = true;
            for slot in 0..wake.len() {
                let (place, mut bits) = wake.allowed(slot);
                for needed in self.single.get(place) {
                    bits &= wake.derivable(*needed);
                }
                for clause in self.choice.get(place) {
                    bits &= self.any_of(*clause, wake);
                }
                let is_new = wake.derive(slot, bits);
                is_stable &= !(looks_ahead && is_new);
            }
        }
    }

    /// Without which sets some fact of a clause can happen.
    fn any_of(&self, clause: ClauseId, wake: &Wake) -> Bits {
        let mut bits = Bits::NONE;
        for place in self.system.clause(clause).iter().filter_map(|fact| self.place[*fact]) {
            bits |= wake.derivable(place);
        }
        bits
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
        let Withholding { system, place, .. } = self.withholding;
        let is_derivable =
            |fact: &Fact| place[*fact].is_some_and(|place| self.wake.derivable(place).has(set));
        clauses.iter().all(|clause| system.clause(*clause).iter().any(is_derivable))
    }

    /// The events that cannot happen without some of the sets, and without which.
    pub(crate) fn impossible(&self) -> impl Iterator<Item = (Fact, Bits)> {
        let events = self.wake.places().filter_map(|place| {
            let event = self.withholding.order.get(place as usize)?;
            Some((*event, !self.wake.derivable(place)))
        });
        events.filter(|(_, bits)| *bits != Bits::NONE)
    }
}

impl Group<'_> {
    /// The withheld facts.
    pub(crate) fn withheld(&self) -> &[Fact] {
        self.queries.first().map_or(&[], |(query, _)| &query.withheld)
    }
}

/// How much of the order a block spans, unless its first question alone spans half as much.
const SPAN: usize = 8192;

/// How many groups, from the first on, are answered in one block: neighbours, so that a block stays small.
fn fitting(groups: &[Group]) -> usize {
    let Some(first) = groups.first().map(|group| &group.stretch) else { return 0 };
    let end = first.start as usize + SPAN.max(2 * first.len());
    let fits = |group: &&Group| first.start <= group.stretch.start && group.stretch.end as usize <= end;
    groups.iter().take(Bits::WIDTH).take_while(fits).count().max(1)
}

fn last_place(
    system: &System,
    place: &PerFact<Option<u32>>,
    clauses: impl Iterator<Item = ClauseId>,
) -> Option<u32> {
    clauses.flat_map(|clause| system.clause(clause)).filter_map(|fact| place[*fact]).max()
}
