//! Dropping new waits that the other ones imply.

use crate::fixpoint::Fixpoint;
use crate::repair::{Edge, Side, with_edges};
use crate::system::System;
use crate::withheld::{Query, Withholding};
use rustc_hash::FxHashSet;

/// Drops edges until none is implied by the rest.
///
/// What the rest does not imply is needed whatever else is dropped, so what these edges imply can go at once. Only
/// edges that imply each other are tried one by one.
pub(crate) fn drop_implied(system: &System, edges: &mut Vec<Edge>) {
    let all: Vec<Edge> = dedup(std::mem::take(edges));
    let races = races_without(&with_edges(system, &all), &all, true);
    let is_needed = |edge: &Edge, races: bool| races && edge.side == Side::After;
    let (mut kept, doubtful) = split(all, races, is_needed);
    let races = races_without(&with_edges(system, &kept), &doubtful, false);
    let (mut doubtful, _) = split(doubtful, races, |_, races| races);
    while let Some(edge) = doubtful.pop() {
        let rest = with_edges(system, kept.iter().chain(&doubtful));
        if races_without(&rest, std::slice::from_ref(&edge), false).contains(&true) {
            kept.push(edge);
        }
    }
    kept.sort_by_key(|edge| edge.pair);
    *edges = kept;
}

/// Which edges mend a race that the other waits of a system leave; `contained` says whether the system contains them.
/// If it does, the answer holds only for edges that put a reader after its provider: they change nothing but the
/// guards of the reader.
fn races_without(system: &System, edges: &[Edge], contained: bool) -> Vec<bool> {
    let queries: Vec<Query> = edges.iter().map(|edge| query(system, edge, contained)).collect();
    let all = Fixpoint::without(system, &[]);
    Withholding::new(system, &all).answer(&queries)
}

/// Whether the pair of an edge breaks if the edge, where it is contained, is not counted among the guards.
fn query(system: &System, edge: &Edge, contained: bool) -> Query {
    let mut query = system.breaks(edge.pair);
    let own = query.wanted.iter().position(|clause| *clause == system.provider(edge.pair));
    if let Some(own) = own.filter(|_| contained) {
        query.wanted.remove(own);
    }
    query
}

/// The edges for which `chosen` is true of the edge and its mark, and the others.
fn split(edges: Vec<Edge>, marks: Vec<bool>, chosen: impl Fn(&Edge, bool) -> bool) -> (Vec<Edge>, Vec<Edge>) {
    let marked = edges.into_iter().zip(marks);
    let (chosen, rest): (Vec<_>, Vec<_>) = marked.partition(|(edge, mark)| chosen(edge, *mark));
    let plain = |marked: Vec<(Edge, bool)>| marked.into_iter().map(|(edge, _)| edge).collect();
    (plain(chosen), plain(rest))
}

/// One edge of each kind: two rules may ask for the same wait.
fn dedup(edges: Vec<Edge>) -> Vec<Edge> {
    let mut known = FxHashSet::default();
    edges.into_iter().filter(|edge| known.insert(edge.waits.clone())).collect()
}
