//! Why one event always comes before another: a chain of waits that leads from the later back to the earlier.

use crate::fact::{ClauseId, Fact, PerFact};
use crate::fixpoint::Fixpoint;
use crate::system::System;
use std::collections::VecDeque;

/// One wait of a chain: `event` waits for `clause`, of which `fact` is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait {
    /// Who waits.
    pub event: Fact,
    /// What it waits for.
    pub clause: ClauseId,
    /// The fact of the clause that the chain goes on with.
    pub fact: Fact,
}

/// The shortest chain of waits by which `later` cannot come before `earlier`, earliest wait first.
///
/// The last wait is a guard of `later`: what `later` itself requires holds nothing back. Clauses with alternatives
/// are held because each alternative is; the chain shows one of them.
#[must_use]
pub fn chain(system: &System, all: &Fixpoint, earlier: Fact, later: Fact) -> Option<Vec<Wait>> {
    let without = Fixpoint::without(system, &[earlier]);
    let search = Search { system, without: &without, target: earlier };
    search.from(later, system.guards(later), |fact| all.holds(fact))
}

/// The chain of waits by which no fact of `provider` can come before `consumer`, which in turn waits for `provider`.
pub(crate) fn circle(system: &System, consumer: Fact, provider: ClauseId) -> Option<Vec<Wait>> {
    let without = Fixpoint::without(system, &[consumer]);
    Search { system, without: &without, target: consumer }.from(consumer, &[provider], |_| true)
}

struct Search<'a> {
    system: &'a System,
    /// What happens without the target.
    without: &'a Fixpoint,
    target: Fact,
}

impl Search<'_> {
    /// Walks, breadth first, over clauses that are not met without the target.
    fn from(&self, start: Fact, clauses: &[ClauseId], visits: impl Fn(Fact) -> bool) -> Option<Vec<Wait>> {
        let mut reached: PerFact<Option<Wait>> = PerFact::all(None, self.system.count);
        let mut queue = VecDeque::from([(start, clauses)]);
        while let Some((event, clauses)) = queue.pop_front() {
            let unmet = clauses.iter().filter(|clause| !self.without.satisfies(self.system.clause(**clause)));
            for (clause, fact) in
                unmet.flat_map(|clause| self.system.clause(*clause).iter().map(move |fact| (clause, fact)))
            {
                if reached[*fact].is_some() || !visits(*fact) {
                    continue;
                }
                reached[*fact] = Some(Wait { event, clause: *clause, fact: *fact });
                if *fact == self.target {
                    return Some(trace(&reached, start, self.target));
                }
                queue.push_back((*fact, self.system.waits(*fact)));
            }
        }
        None
    }
}

/// The waits from the target up to the event that the search began with.
fn trace(reached: &PerFact<Option<Wait>>, start: Fact, target: Fact) -> Vec<Wait> {
    let mut waits: Vec<Wait> = Vec::new();
    let mut fact = target;
    while let Some(wait) = reached[fact] {
        waits.push(wait);
        fact = wait.event;
        if fact == start {
            break;
        }
    }
    waits
}
