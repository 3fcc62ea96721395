//! Why events never happen although nothing fails: they wait in a circle, or for something nobody brings about.

use crate::components::components;
use crate::fact::{ClauseId, Fact};
use crate::fixpoint::Fixpoint;
use crate::system::System;
use std::collections::{BTreeMap, VecDeque};

/// How many members of a group are tried as the start of its shortest circle.
const STARTS: usize = 64;

/// One reason for which events never happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deadlock {
    /// Nobody brings about any fact of the clause for which these events wait.
    Missing {
        /// What is waited for.
        clause: ClauseId,
        /// Who waits.
        waiting: Vec<Fact>,
    },
    /// Each event waits for the next, and the last for the first.
    Circle(Vec<Fact>),
}

/// Every root of a wait that never ends: what waits only for these is not listed.
#[must_use]
pub fn deadlocks(system: &System, all: &Fixpoint) -> Vec<Deadlock> {
    let stuck: Vec<Fact> = system.facts().filter(|fact| !all.holds(*fact) && !system.absent[*fact]).collect();
    let mut missing: BTreeMap<ClauseId, Vec<Fact>> = BTreeMap::new();
    for event in &stuck {
        let is_missing = |clause: &&ClauseId| system.clause(**clause).iter().all(|fact| system.absent[*fact]);
        for clause in system.waits(*event).iter().filter(is_missing) {
            missing.entry(*clause).or_default().push(*event);
        }
    }
    let mut found: Vec<Deadlock> = missing
        .into_iter()
        .map(|(clause, mut waiting)| {
            waiting.dedup();
            Deadlock::Missing { clause, waiting }
        })
        .collect();
    let next = |event: Fact| unmet(system, all, event);
    for group in components(system.count, &stuck, next) {
        let circles = group.iter().take(STARTS).map(|start| circle(*start, &next(*start), &group, next));
        found.extend(circles.min_by_key(Vec::len).map(Deadlock::Circle));
    }
    found
}

/// The facts that an event waits for in vain.
pub(crate) fn unmet(system: &System, all: &Fixpoint, event: Fact) -> Vec<Fact> {
    let clauses = system.waits(event).iter().map(|clause| system.clause(*clause));
    clauses.filter(|facts| !all.satisfies(facts)).flatten().copied().collect()
}

/// The shortest circle through one member of a group that begins with one of its waits, breadth first.
pub(crate) fn circle(
    start: Fact,
    first: &[Fact],
    group: &[Fact],
    next: impl Fn(Fact) -> Vec<Fact>,
) -> Vec<Fact> {
    let mut came_from: BTreeMap<Fact, Fact> = BTreeMap::new();
    let mut queue: VecDeque<(Fact, Vec<Fact>)> = VecDeque::from([(start, first.to_vec())]);
    while let Some((event, waits)) = queue.pop_front() {
        for to in waits {
            if to == start {
                let back = std::iter::successors(Some(event), |fact| came_from.get(fact).copied());
                let mut circle: Vec<Fact> = back.collect();
                circle.reverse();
                return circle;
            }
            if group.binary_search(&to).is_ok() && !came_from.contains_key(&to) {
                came_from.insert(to, event);
                queue.push_back((to, next(to)));
            }
        }
    }
    Vec::new()
}
