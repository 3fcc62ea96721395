//! Leaving out of an order of events whatever the rest can do without.

use crate::fact::{ClauseId, Fact, PerFact};
use crate::lists::narrow;
use crate::system::System;

/// Leaves out events, last first, while the rest still meets the wanted clauses.
///
/// One walk is enough for a result from which no single event can be left out: whoever could need an event stands
/// after it and is decided before it.
pub(crate) fn minimise(system: &System, events: &[Fact], wanted: &[ClauseId]) -> Vec<Fact> {
    let mut walk = Walk::new(system, events);
    walk.ask(wanted, events.len());
    let mut kept = Vec::new();
    for (position, event) in events.iter().enumerate().rev() {
        if walk.is_needed(position) {
            walk.ask(system.waits(*event), position);
            kept.push(*event);
        } else {
            walk.place[*event] = None;
        }
    }
    kept.reverse();
    kept
}

struct Walk<'a> {
    system: &'a System,
    /// Where each event stands, unless it was left out.
    place: PerFact<Option<u32>>,
    /// For each position, the last of what only this event or kept ones after it can meet.
    last_chance: Vec<Option<u32>>,
    uses: Vec<Use>,
}

/// A kept event at `reader` waits for `clause`.
#[derive(Clone, Copy)]
struct Use {
    clause: ClauseId,
    reader: u32,
    /// Another use with the same last chance.
    other: Option<u32>,
}

impl<'a> Walk<'a> {
    fn new(system: &'a System, events: &[Fact]) -> Self {
        let mut place = PerFact::all(None, system.count);
        for (position, event) in (0..).zip(events) {
            place[*event] = Some(position);
        }
        Self { system, place, last_chance: vec![None; events.len()], uses: Vec::with_capacity(events.len()) }
    }

    /// Notes what a kept event waits for, at the first event that meets it.
    fn ask(&mut self, clauses: &[ClauseId], reader: usize) {
        for clause in clauses {
            let first = self.places(*clause).min();
            if let Some(last) = first.and_then(|first| self.last_chance.get_mut(first as usize)) {
                let other = last.replace(narrow(self.uses.len()));
                self.uses.push(Use { clause: *clause, reader: narrow(reader), other });
            }
        }
    }

    fn is_needed(&self, position: usize) -> bool {
        let get = |number: Option<u32>| self.uses.get(number? as usize);
        let last = get(self.last_chance.get(position).copied().flatten());
        let mut uses = std::iter::successors(last, |one| get(one.other));
        uses.any(|Use { clause, reader, .. }| {
            !self.places(*clause).any(|other| narrow(position) < other && other < *reader)
        })
    }

    fn places(&self, clause: ClauseId) -> impl Iterator<Item = u32> {
        self.system.clause(clause).iter().filter_map(|fact| self.place[*fact])
    }
}
