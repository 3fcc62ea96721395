//! The smallest order that mends every race: one round of new waits, less those that the others imply.
//!
//! One round is enough. A pair that was not reported is held already, and a new wait never frees what is held.

use crate::deadlock;
use crate::draft::Draft;
use crate::fact::{ClauseId, Fact};
use crate::fixpoint::Fixpoint;
use crate::held;
use crate::implied::drop_implied;
use crate::races::{races, recovering};
use crate::system::{Breach, System};

/// What must wait for what so that nothing races, and what no order can mend.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repair<T = Fact> {
    /// The waits to add.
    pub edges: Vec<Edge<T>>,
    /// What cannot be mended by waiting.
    pub beyond: Vec<Beyond<T>>,
}

/// One wait to add.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge<T = Fact> {
    /// What it mends.
    pub pair: Breach,
    /// On which side of the other end the reader is put.
    pub side: Side,
    /// Who waits, and for any one of which facts.
    pub waits: Vec<(T, Vec<T>)>,
}

/// On which side the reader is put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The reader waits for its provider, the victim for the end of its window.
    After,
    /// The window opens only after its victim, because the victim is needed to close it.
    BeforeOpen,
}

/// A race that no order can mend.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Beyond<T = Fact> {
    /// What races.
    pub pair: Breach,
    /// The reader, then what it would wait for, and so on back to the reader; empty if the provider never comes for
    /// another reason.
    pub circle: Vec<T>,
}

/// Mends every race of a system that an order can mend.
#[must_use]
pub fn repair(system: &System, all: &Fixpoint) -> Repair {
    let broken = races(system, all);
    let mut repair = Repair { edges: Vec::new(), beyond: Vec::new() };
    let reader = |pair| vec![system.consumer(pair)];
    for (pair, recovers) in broken.iter().zip(recovering(system, all, &broken, reader)) {
        match propose(system, *pair, recovers) {
            Ok(edge) => repair.edges.push(edge),
            Err(beyond) => repair.beyond.push(beyond),
        }
    }
    while let Some(beyond) = conflict(system, all, &repair.edges) {
        repair.edges.retain(|edge| edge.pair != beyond.pair);
        repair.beyond.push(beyond);
    }
    drop_implied(system, &mut repair.edges);
    repair
}

/// After the provider, unless that needs the reader; then, for a window, before its opening.
fn propose(system: &System, pair: Breach, recovers: bool) -> Result<Edge, Beyond> {
    let (consumer, provider) = (system.consumer(pair), system.provider(pair));
    if recovers {
        let waits = vec![(consumer, system.clause(provider).to_vec())];
        return Ok(Edge { pair, side: Side::After, waits });
    }
    if let Some(opening) = postponable(system, pair, consumer) {
        let waits = system.clause(opening).iter().map(|event| (*event, vec![consumer])).collect();
        return Ok(Edge { pair, side: Side::BeforeOpen, waits });
    }
    let waits = held::circle(system, consumer, provider).unwrap_or_default();
    Err(Beyond { pair, circle: waits.iter().rev().map(|wait| wait.event).collect() })
}

/// A clause of a window's opening without which the victim can still happen.
fn postponable(system: &System, pair: Breach, victim: Fact) -> Option<ClauseId> {
    let Breach::Window(number) = pair else { return None };
    let openings = system.intervals.get(number)?.open.iter().copied();
    openings.into_iter().find(|opening| Fixpoint::without(system, system.clause(*opening)).holds(victim))
}

/// A wait that, together with the others, keeps an event from happening that happened before.
fn conflict(system: &System, all: &Fixpoint, edges: &[Edge]) -> Option<Beyond> {
    let mended = with_edges(system, edges);
    let after = Fixpoint::without(&mended, &[]);
    let is_lost = |fact: &Fact| all.holds(*fact) && !after.holds(*fact);
    let lost: Vec<Fact> = system.facts().filter(is_lost).collect();
    let next = |event: Fact| {
        let mut waits = deadlock::unmet(&mended, &after, event);
        waits.retain(is_lost);
        waits
    };
    for group in crate::components::components(system.count, &lost, next) {
        for (edge, (event, facts)) in
            edges.iter().flat_map(|edge| edge.waits.iter().map(move |wait| (edge, wait)))
        {
            if group.contains(event) && facts.iter().any(|fact| group.contains(fact)) {
                return Some(Beyond {
                    pair: edge.pair,
                    circle: deadlock::circle(*event, facts, &group, next),
                });
            }
        }
    }
    None
}

/// The system with some more waits.
pub(crate) fn with_edges<'a>(system: &System, edges: impl IntoIterator<Item = &'a Edge>) -> System {
    let mut draft = Draft::of(system);
    for (event, facts) in edges.into_iter().flat_map(|edge| &edge.waits) {
        let clause = draft.clause(facts.clone());
        draft.guard(*event, clause);
    }
    draft.finish()
}

impl Repair {
    /// The system with the new waits.
    #[must_use]
    pub fn mend(&self, system: &System) -> System {
        with_edges(system, &self.edges)
    }
}
