//! What never comes about although nothing fails, in moments.

use crate::compile::Compiled;
use crate::deadlock::{Deadlock, deadlocks};
use crate::fact::{ClauseId, Fact};
use crate::fixpoint::Fixpoint;
use crate::held::Wait;
use crate::link::{Ground, Link};
use plimsoll_model::Moment;

/// One reason for which moments never come about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stuck {
    /// Moments wait for something that nobody brings about.
    Missing {
        /// Any one of these would do; empty if nothing would.
        awaited: Vec<Moment>,
        /// Who waits for it directly.
        waiting: Vec<Waiting>,
    },
    /// Moments wait for each other: `then` of each link waits for its `first`, which is `then` of the next.
    Circle(Vec<Link>),
}

/// A moment that waits in vain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// The moment.
    pub moment: Moment,
    /// Why it waits.
    pub ground: Ground,
}

/// Every root of a wait that never ends.
pub(crate) fn stuck(compiled: &Compiled, all: &Fixpoint) -> Vec<Stuck> {
    let mut found = Vec::new();
    for deadlock in deadlocks(&compiled.system, all) {
        match deadlock {
            Deadlock::Missing { clause, waiting } => found.extend(compiled.missing(all, clause, &waiting)),
            Deadlock::Circle(circle) => found.push(Stuck::Circle(compiled.circle(all, circle))),
        }
    }
    found
}

impl Compiled {
    /// What waits in vain for a clause; nothing if all of it comes about in another way.
    fn missing(&self, all: &Fixpoint, clause: ClauseId, events: &[Fact]) -> Option<Stuck> {
        let mut waiting = Vec::new();
        for event in events {
            let ground = self.ground(*event, clause);
            for moment in self.named_waiters(all, *event) {
                waiting.extend(ground.map(|ground| Waiting { moment: moment.clone(), ground }));
            }
        }
        let awaited = self.names.moments(self.system.clause(clause));
        (!waiting.is_empty()).then_some(Stuck::Missing { awaited, waiting })
    }

    /// The moment of an event or, if it has no name, the moments that wait for it in vain.
    fn named_waiters(&self, all: &Fixpoint, event: Fact) -> Vec<&Moment> {
        if let Some(moment) = self.names.moment(event) {
            return vec![moment];
        }
        let clauses = self.system.clauses_with.get(event.0).iter();
        let waiters = clauses.flat_map(|clause| self.system.waiting_for.get(clause.0));
        let mut stuck: Vec<Fact> = waiters.filter(|fact| !all.holds(**fact)).copied().collect();
        stuck.dedup();
        stuck.iter().flat_map(|fact| self.named_waiters(all, *fact)).collect()
    }

    /// A circle of facts as links that begin and end with a moment.
    fn circle(&self, all: &Fixpoint, mut circle: Vec<Fact>) -> Vec<Link> {
        let named = circle.iter().position(|fact| self.names.moment(*fact).is_some());
        circle.rotate_left(named.unwrap_or_default());
        let next = circle.iter().cycle().skip(1);
        let waits = circle.iter().zip(next).filter_map(|(event, fact)| self.wait(all, *event, *fact));
        let mut waits: Vec<Wait> = waits.collect();
        waits.reverse();
        let mut links = self.links(&waits);
        links.reverse();
        links
    }

    /// The wait by which an event waits in vain for a fact.
    fn wait(&self, all: &Fixpoint, event: Fact, fact: Fact) -> Option<Wait> {
        let is_meant = |clause: &&ClauseId| {
            let facts = self.system.clause(**clause);
            facts.contains(&fact) && !all.satisfies(facts)
        };
        let clause = *self.system.waits(event).iter().find(is_meant)?;
        Some(Wait { event, clause, fact })
    }
}
