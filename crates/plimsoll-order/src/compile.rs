//! From the words of the model to a system of facts.
//!
//! A moment is a fact. Its guard is any one of its causes and every guarantee that ends in it. Several causes of one
//! moment get a fact each, and a guarantee with sets on both sides one barrier, so that n × m waits become n + m. So
//! does a long list of waits with which later ones begin, as those of the steps of a script do.
//! What is given is settled here: clauses that contain it are met and never become part of the system.

use crate::draft::Draft;
use crate::fact::{ClauseId, Fact};
use crate::link::Ground;
use crate::lists::{Lists, narrow};
use crate::names::Names;
use crate::question::Question;
use crate::system::{Breach, Interval, OneShot, System};
use plimsoll_model::{
    Cause, Clause, Confidence, Deadline, Delay, Guarantee, Moment, Reading, Requirement, Window,
};
use std::time::Duration;

/// A question as a system of facts, and the way back.
pub(crate) struct Compiled {
    pub(crate) system: System,
    pub(crate) names: Names,
    /// For each event, why it waits for each of its guards, in their order.
    pub(crate) grounds: Lists<Ground>,
    /// The position in the question of each requirement of the system.
    pub(crate) requirements: Vec<usize>,
    /// The position in the question of each window of the system.
    pub(crate) windows: Vec<usize>,
    /// What is lost by each requirement and each window of the system, if its reader goes on.
    requirements_lose: Vec<Option<Vec<Fact>>>,
    windows_lose: Vec<Option<Vec<Fact>>>,
    pub(crate) deadlines: Vec<Timed>,
    /// The facts before this one are given.
    pub(crate) given: Fact,
}

/// A deadline in facts.
pub(crate) struct Timed {
    pub(crate) start: Fact,
    pub(crate) awaited: Vec<ClauseId>,
    pub(crate) within: Duration,
}

/// Translates a question: first everything it speaks of, then how each moment comes about.
pub(crate) fn compile(question: &Question) -> Compiled {
    let mut compiler = Compiler::new(question);
    let ways: Vec<(u32, Way)> = (0..).zip(question.causes).map(|(n, cause)| compiler.way(n, cause)).collect();
    for (number, guarantee) in question.guarantees.iter().enumerate() {
        compiler.guarantee(number, guarantee);
    }
    let requirements =
        kept(question.requirements, |number, requirement| compiler.requirement(number, requirement));
    let windows = kept(question.windows, |_, window| compiler.window(window));
    let deadlines = question.deadlines.iter().map(|deadline| compiler.deadline(deadline)).collect();
    let count = compiler.draft.count();
    let (ways, promises) = (Lists::grouped(count, &ways), Lists::grouped(count, &compiler.promises));
    for fact in compiler.names.facts().filter(|fact| *fact >= compiler.given).collect::<Vec<_>>() {
        compiler.bring_about(fact, ways.get(fact.0), promises.get(fact.0));
    }
    compiler.finish(requirements, windows, deadlines)
}

/// The positions of what is taken.
fn kept<T>(items: &[T], mut take: impl FnMut(usize, &T) -> Option<()>) -> Vec<usize> {
    items.iter().enumerate().filter_map(|(position, item)| take(position, item).map(|()| position)).collect()
}

/// One way in which a moment comes about.
#[derive(Clone, Copy)]
struct Way {
    /// The position of the cause in the question.
    cause: usize,
    /// The number of its list of clauses.
    after: u32,
}

/// From how many waits on they are worth a barrier.
const LONG: usize = 16;

struct Compiler<'q> {
    causes: &'q [Cause],
    draft: Draft,
    /// What each cause waits for.
    after: Lists<ClauseId>,
    names: Names,
    given: Fact,
    /// The last long list of waits, and the barrier that stands for it.
    long: Option<(Vec<ClauseId>, Fact)>,
    /// For each event and guard, in the order of the draft, why it waits.
    grounds: Vec<(u32, Ground)>,
    /// For each event, the clauses that guarantees put before it.
    promises: Vec<(u32, (ClauseId, Ground))>,
    /// What is lost by each requirement and each window of the system, if its reader goes on.
    requirements_lose: Vec<Option<Vec<Fact>>>,
    windows_lose: Vec<Option<Vec<Fact>>>,
}

impl<'q> Compiler<'q> {
    /// Begins with what is given, so that a given fact is known by its number.
    fn new(question: &Question<'q>) -> Self {
        let mut compiler = Self {
            causes: question.causes,
            draft: Draft::new(),
            after: Lists::new(),
            names: Names::with_room_for(question.given.len() + question.causes.len()),
            given: Fact(0),
            long: None,
            grounds: Vec::new(),
            promises: Vec::new(),
            requirements_lose: Vec::new(),
            windows_lose: Vec::new(),
        };
        for moment in question.given {
            compiler.fact(moment);
        }
        compiler.given = Fact(narrow(compiler.draft.count()));
        compiler
    }

    fn fact(&mut self, moment: &Moment) -> Fact {
        if let Some(fact) = self.names.fact(moment) {
            return fact;
        }
        let fact = self.draft.event(Delay::NONE);
        self.names.name(fact, moment.clone());
        fact
    }

    /// The fact of a moment that is not given.
    fn open_fact(&mut self, moment: &Moment) -> Option<Fact> {
        Some(self.fact(moment)).filter(|fact| *fact >= self.given)
    }

    /// A clause that is not met from the start.
    fn open_clause(&mut self, clause: &Clause) -> Option<ClauseId> {
        let facts: Option<Vec<Fact>> = clause.0.iter().map(|moment| self.open_fact(moment)).collect();
        facts.map(|facts| self.draft.clause(facts))
    }

    fn guard(&mut self, event: Fact, clause: ClauseId, ground: Ground) {
        self.draft.guard(event, clause);
        self.grounds.push((event.0, ground));
    }

    fn guarantee(&mut self, number: usize, guarantee: &Guarantee) {
        let ground = Ground::Guarantee(number);
        let mut first: Vec<Fact> =
            guarantee.first.iter().filter_map(|moment| self.open_fact(moment)).collect();
        let then: Vec<Fact> = guarantee.then.iter().filter_map(|moment| self.open_fact(moment)).collect();
        if first.len() > 1 && then.len() > 1 {
            let barrier = self.draft.event(Delay::NONE);
            for fact in std::mem::replace(&mut first, vec![barrier]) {
                let clause = self.draft.clause(vec![fact]);
                self.guard(barrier, clause, ground);
            }
        }
        for fact in first {
            let clause = self.draft.clause(vec![fact]);
            self.promises.extend(then.iter().map(|then| (then.0, (clause, ground))));
        }
    }

    fn requirement(&mut self, number: usize, requirement: &Requirement) -> Option<()> {
        let (consumer, provider) = (self.open_fact(&requirement.then), self.open_clause(&requirement.first));
        let (consumer, provider) = (consumer?, provider?);
        let is_sure = requirement.confidence != Confidence::Heuristic;
        let is_noticed = is_sure && requirement.reading != Reading::OnceSilently;
        let lost = self.lost(requirement);
        let stops = is_noticed && lost.is_none();
        if is_noticed {
            for fact in lost.iter().flatten() {
                self.guard(*fact, provider, Ground::Requirement(number));
            }
        }
        self.draft.requirement(OneShot { consumer, provider, reading: requirement.reading, stops });
        self.requirements_lose.push(lost);
        Some(())
    }

    /// What a miss takes away, if the reader itself goes on; nothing is left of it where all of it is given.
    fn lost(&mut self, requirement: &Requirement) -> Option<Vec<Fact>> {
        let lost = Some(&requirement.lost).filter(|lost| !lost.is_empty());
        lost.map(|lost| lost.iter().filter_map(|moment| self.open_fact(moment)).collect())
    }

    fn window(&mut self, window: &Window) -> Option<()> {
        let victim = self.open_fact(&window.requirement.then);
        let close = self.open_clause(&window.requirement.first);
        let open = window.open.iter().filter_map(|clause| self.open_clause(clause)).collect();
        let reading = window.requirement.reading;
        self.draft.window(Interval { open, close: close?, victim: victim?, reading });
        let lost = self.lost(&window.requirement);
        self.windows_lose.push(lost);
        Some(())
    }

    fn deadline(&mut self, deadline: &Deadline) -> Timed {
        let start = self.fact(&deadline.start);
        let awaited = deadline.awaited.iter().filter_map(|clause| self.open_clause(clause)).collect();
        Timed { start, awaited, within: deadline.within }
    }

    fn way(&mut self, cause: usize, said: &Cause) -> (u32, Way) {
        let moment = self.fact(&said.moment);
        let clauses: Vec<ClauseId> =
            said.after.iter().filter_map(|clause| self.open_clause(clause)).collect();
        let clauses = self.shortened(clauses, Ground::Cause(cause));
        (moment.0, Way { cause, after: self.after.push(clauses) })
    }

    /// The same waits, the first of them by the barrier of a list that they begin with.
    fn shortened(&mut self, clauses: Vec<ClauseId>, ground: Ground) -> Vec<ClauseId> {
        if clauses.len() < LONG {
            return clauses;
        }
        let long = self.long.take().filter(|(known, _)| clauses.starts_with(known));
        let said = long.as_ref().map_or(0, |(known, _)| known.len());
        let before = long.as_ref().map(|(_, barrier)| self.draft.clause(vec![*barrier]));
        let short: Vec<ClauseId> = before.into_iter().chain(clauses.iter().skip(said).copied()).collect();
        if short.len() < LONG {
            self.long = long;
            return short;
        }
        let barrier = self.draft.event(Delay::NONE);
        for clause in short {
            self.guard(barrier, clause, ground);
        }
        self.long = Some((clauses, barrier));
        vec![self.draft.clause(vec![barrier])]
    }

    /// Lets a moment come about in any of several ways, behind everything promised to come first.
    fn bring_about(&mut self, fact: Fact, ways: &[Way], promises: &[(ClauseId, Ground)]) {
        match ways {
            [] => self.draft.forbid(fact),
            [only] => self.follow(fact, *only, promises),
            [first, ..] => {
                let mut ends = Vec::new();
                for way in ways {
                    let end = self.draft.event(Delay::NONE);
                    self.follow(end, *way, promises);
                    ends.push(end);
                }
                let clause = self.draft.clause(ends);
                self.guard(fact, clause, Ground::Cause(first.cause));
            }
        }
    }

    /// Lets an event happen at the end of one way.
    fn follow(&mut self, event: Fact, way: Way, promises: &[(ClauseId, Ground)]) {
        self.draft.takes(event, self.causes.get(way.cause).map_or(Delay::NONE, |cause| cause.delay));
        let clauses = self.after.get(way.after).iter().map(|clause| (*clause, Ground::Cause(way.cause)));
        for (clause, ground) in clauses.chain(promises.iter().copied()) {
            self.draft.guard(event, clause);
            self.grounds.push((event.0, ground));
        }
    }

    fn finish(self, requirements: Vec<usize>, windows: Vec<usize>, deadlines: Vec<Timed>) -> Compiled {
        let grounds = Lists::grouped(self.draft.count(), &self.grounds);
        Compiled {
            system: self.draft.finish(),
            names: self.names,
            grounds,
            requirements,
            windows,
            requirements_lose: self.requirements_lose,
            windows_lose: self.windows_lose,
            deadlines,
            given: self.given,
        }
    }
}

impl Compiled {
    /// What does not come about where a breach of the system happens.
    pub(crate) fn lost(&self, breach: Breach) -> Vec<Fact> {
        let lost = match breach {
            Breach::Requirement(number) => self.requirements_lose.get(number),
            Breach::Window(number) => self.windows_lose.get(number),
        };
        lost.cloned().flatten().unwrap_or_else(|| vec![self.system.consumer(breach)])
    }
}
