//! The answers to one question.

use crate::certificate::certify;
use crate::checker::{Checker, replay};
use crate::compile::{Compiled, compile};
use crate::course::Course;
use crate::deadline::{Due, dues};
use crate::fact::Fact;
use crate::fixpoint::Fixpoint;
use crate::flaw::Flaw;
use crate::held;
use crate::link::Link;
use crate::question::Question;
use crate::race::{Race, timed};
use crate::races::{races, recovering};
use crate::repair::{Beyond, Edge, Repair, repair};
use crate::stuck::{Stuck, stuck};
use crate::system::Breach;
use crate::timeline::prefix;
use crate::times::{Pace, Times};
use plimsoll_model::Moment;
use std::time::Duration;

/// Everything that can be said about the order of moments in one deployment.
pub struct Order {
    compiled: Compiled,
    /// Everything that comes about where nothing fails.
    all: Fixpoint,
    low: Times,
    usual: Times,
    /// What some run breaks, numbered as in the system.
    broken: Vec<Breach>,
}

impl Order {
    /// Prepares the answers to a question.
    #[must_use]
    pub fn new(question: &Question) -> Self {
        let compiled = compile(question);
        let system = &compiled.system;
        let all = Fixpoint::without(system, &[]);
        let (low, usual, broken) = std::thread::scope(|scope| {
            let times = scope.spawn(|| (Times::of(system, Pace::Low), Times::of(system, Pace::Usual)));
            let broken = races(system, &all);
            let (low, usual) = times.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            (low, usual, broken)
        });
        Self { compiled, all, low, usual, broken }
    }

    /// Every requirement and window that no chain of guarantees holds, in the order of the question.
    #[must_use]
    pub fn races(&self) -> Vec<Race> {
        let system = &self.compiled.system;
        let recovers = recovering(system, &self.all, &self.broken, |breach| self.compiled.lost(breach));
        let races = timed(system, &self.broken, recovers, &self.low, &self.usual);
        races.into_iter().map(|race| Race { breach: self.asked(race.breach), ..race }).collect()
    }

    /// How a race unfolds, as far as its moments are to be told. The whole way to the failure is replayed before.
    pub fn course(&self, breach: Breach, is_told: impl Fn(&Moment) -> bool) -> Result<Course, Flaw> {
        let pair = self.internal(breach).ok_or(Flaw::NotShown(breach))?;
        let before = prefix(&self.compiled.system, pair, &self.low).ok_or(Flaw::NotShown(breach))?;
        let events: Vec<Fact> = before.events.iter().map(|(event, _)| *event).collect();
        replay(&self.compiled.system, pair, &events)?;
        Ok(self.compiled.course(pair, before, &self.usual, is_told))
    }

    /// Every root of a wait that never ends, although nothing fails.
    #[must_use]
    pub fn stuck(&self) -> Vec<Stuck> {
        stuck(&self.compiled, &self.all)
    }

    /// How long each wait that gives up takes, in the order of the question.
    #[must_use]
    pub fn deadlines(&self) -> Vec<Due> {
        dues(&self.compiled, &self.usual)
    }

    /// When a moment comes about with every delay at its usual value, if it does.
    #[must_use]
    pub fn usual_time(&self, moment: &Moment) -> Option<Duration> {
        self.usual.at(self.compiled.names.fact(moment)?)
    }

    /// The chain of waits by which `first` always comes before `then`; empty if `first` is given, nothing if some run
    /// has another order or `then` never comes about.
    #[must_use]
    pub fn why_held(&self, first: &Moment, then: &Moment) -> Option<Vec<Link>> {
        let (first, then) = (self.compiled.names.fact(first)?, self.compiled.names.fact(then)?);
        if then < self.compiled.given || !self.all.holds(then) {
            return None;
        }
        if first < self.compiled.given {
            return Some(Vec::new());
        }
        let waits = held::chain(&self.compiled.system, &self.all, first, then)?;
        Some(self.compiled.links(&waits))
    }

    /// Proves every answer of [`races`](Self::races) to an independent checker: that each pair not listed is held in
    /// every run, and that some run breaks each pair that is.
    pub fn check(&self) -> Result<(), Flaw> {
        let system = &self.compiled.system;
        let mut checker = Checker::new(system, &self.all.order)?;
        let mut followed = Ok(());
        certify(system, &self.all, |certificate| {
            if followed.is_ok() {
                followed = checker.follow(&certificate);
            }
        });
        followed?;
        checker.finish(&self.broken)
    }

    /// The smallest set of new waits that leaves no race, and what no order can mend.
    #[must_use]
    pub fn repair(&self) -> Repair<Moment> {
        let (names, repair) = (&self.compiled.names, repair(&self.compiled.system, &self.all));
        let wait =
            |(event, facts): (Fact, Vec<Fact>)| Some((names.moment(event)?.clone(), names.moments(&facts)));
        let edge = |edge: Edge| Edge {
            pair: self.asked(edge.pair),
            side: edge.side,
            waits: edge.waits.into_iter().filter_map(wait).collect(),
        };
        let beyond =
            |beyond: Beyond| Beyond { pair: self.asked(beyond.pair), circle: names.moments(&beyond.circle) };
        Repair {
            edges: repair.edges.into_iter().map(edge).collect(),
            beyond: repair.beyond.into_iter().map(beyond).collect(),
        }
    }

    /// A breach of the system as it is numbered in the question.
    fn asked(&self, breach: Breach) -> Breach {
        let position =
            |positions: &[usize], number: usize| positions.get(number).copied().unwrap_or(usize::MAX);
        match breach {
            Breach::Requirement(number) => Breach::Requirement(position(&self.compiled.requirements, number)),
            Breach::Window(number) => Breach::Window(position(&self.compiled.windows, number)),
        }
    }

    /// A breach of the question as it is numbered in the system, unless what is given settles it.
    fn internal(&self, breach: Breach) -> Option<Breach> {
        match breach {
            Breach::Requirement(position) => {
                self.compiled.requirements.binary_search(&position).ok().map(Breach::Requirement)
            }
            Breach::Window(position) => {
                self.compiled.windows.binary_search(&position).ok().map(Breach::Window)
            }
        }
    }
}
