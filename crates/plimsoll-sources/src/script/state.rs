//! What is known at one point of the script: which steps are over and how, and what the shell remembers.

use super::syntax::{Command, List};
use plimsoll_model::Outcome;
use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Steps by number, and what is certain about them here.
pub(super) type Facts = BTreeMap<u32, Fact>;

/// Steps that may have been passed over, and what is certain wherever each has run.
pub(super) type Beside = BTreeMap<u32, Rc<Facts>>;

/// What is known of one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fact {
    /// How it ended, if it ran.
    pub(super) outcome: Outcome,
    /// Whether it ran on every path that leads here.
    pub(super) is_certain: bool,
}

/// One point of the script, as every path that leads here agrees on it.
#[derive(Debug, Clone, Default)]
pub(super) struct State {
    pub(super) facts: Facts,
    /// What is certain wherever a step has run that may have been passed over.
    pub(super) beside: Rc<Beside>,
    /// Steps of other branches, which cannot have run if this point is reached.
    pub(super) excluded: BTreeSet<u32>,
    /// Variables; `None` for one whose value is not known.
    pub(super) variables: BTreeMap<String, Option<String>>,
    /// Variables that the paths which lead here left with different values.
    pub(super) ways: BTreeMap<String, Vec<Way>>,
    /// Variables that were set from a command substitution.
    pub(super) probes: BTreeMap<String, Rc<List>>,
    pub(super) functions: BTreeMap<String, Rc<Command>>,
    /// The arguments of the script or function, where known.
    pub(super) arguments: Vec<Option<String>>,
    /// The current folder; `None` after a `cd` to an unknown one.
    pub(super) folder: Option<String>,
    pub(super) folders: Vec<Option<String>>,
    pub(super) stops_on_failure: bool,
    pub(super) pipe_fails: bool,
    /// The namespace of the current kubectl context, once the script has set it.
    pub(super) namespace: Option<String>,
    pub(super) jobs: Vec<Job>,
    /// How the last command may have ended, for a script that looks at `$?`.
    pub(super) last: Option<Rc<Last>>,
}

/// One value that a variable may have here, and what is certain where it has that one.
#[derive(Debug, Clone)]
pub(super) struct Way {
    pub(super) value: Option<String>,
    pub(super) facts: Rc<Facts>,
}

/// How many values of one variable are told apart.
const MOST_WAYS: usize = 8;

/// A background job and what is certain once it is over.
#[derive(Debug, Clone)]
pub(super) struct Job {
    pub(super) number: u32,
    pub(super) succeeded: Option<Facts>,
    pub(super) failed: Option<Facts>,
}

/// What is certain after a command, by its outcome.
#[derive(Debug)]
pub(super) struct Last {
    pub(super) succeeded: Facts,
    pub(super) failed: Facts,
}

/// The two ways out of a command; `None` where there is no such way.
#[derive(Debug, Clone, Default)]
pub(super) struct Flow {
    pub(super) success: Option<State>,
    pub(super) failure: Option<State>,
}

impl Flow {
    pub(super) fn success(state: State) -> Self {
        Self { success: Some(state), failure: None }
    }

    pub(super) fn failure(state: State) -> Self {
        Self { success: None, failure: Some(state) }
    }

    pub(super) fn either(state: State) -> Self {
        Self { success: Some(state.clone()), failure: Some(state) }
    }

    pub(super) fn swapped(self) -> Self {
        Self { success: self.failure, failure: self.success }
    }
}

impl State {
    /// Adds what is certain elsewhere and has become certain here.
    pub(super) fn learn(&mut self, facts: &Facts) {
        for (step, fact) in facts {
            let known = self.facts.entry(*step).or_insert(*fact);
            known.outcome = stronger(known.outcome, fact.outcome);
            known.is_certain |= fact.is_certain;
        }
    }

    pub(super) fn with_fact(mut self, step: u32, outcome: Outcome) -> Self {
        self.facts.insert(step, Fact { outcome, is_certain: true });
        self
    }

    pub(super) fn set(&mut self, name: &str, value: Option<String>) {
        self.ways.remove(name);
        self.variables.insert(name.to_owned(), value);
    }

    /// Sets the variable of a loop in its last round; tests may tell that round from the others.
    pub(super) fn count(&mut self, name: &str, last: Option<String>) {
        self.set(name, last.clone());
        if last.is_some() {
            let facts = Rc::new(self.facts.clone());
            self.ways.insert(name.to_owned(), vec![Way { value: last, facts }]);
        }
    }

    /// The state of those paths that left a variable with some of its values; `None` where there is none.
    pub(super) fn where_value(&self, name: &str, fits: impl Fn(&Way) -> bool) -> Option<Self> {
        let ways: Vec<Way> = self.ways.get(name)?.iter().filter(|way| fits(way)).cloned().collect();
        let facts = ways.iter().map(|way| (*way.facts).clone()).reduce(|a, b| join_facts(&a, &b))?;
        let mut state = self.clone();
        // What only some of these paths have run may have ended otherwise on the others.
        state.learn(&facts.into_iter().filter(|(_, fact)| fact.is_certain).collect());
        state.ways.insert(name.to_owned(), ways);
        Some(state)
    }
}

fn rank(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Begun => 0,
        Outcome::Ended => 1,
        Outcome::Succeeded => 2,
    }
}

/// Whether the first outcome says at least as much as the second.
pub(super) fn covers(first: Outcome, second: Outcome) -> bool {
    rank(first) >= rank(second)
}

fn stronger(a: Outcome, b: Outcome) -> Outcome {
    if covers(a, b) { a } else { b }
}

/// What both outcomes imply.
pub(super) fn weaker(a: Outcome, b: Outcome) -> Outcome {
    if covers(a, b) { b } else { a }
}

/// What holds whichever of two paths was taken.
pub(super) fn join(a: Option<State>, b: Option<State>) -> Option<State> {
    let (a, b) = match (a, b) {
        (Some(a), Some(b)) => (a, b),
        (one, other) => return one.or(other),
    };
    let (facts, ways) = (join_facts(&a.facts, &b.facts), join_ways(&a, &b));
    let beside = join_beside(&a, &b, &facts);
    Some(State { facts, beside, ways, ..agree(a, &b) })
}

/// What is certain with each step that only some paths have run: what all of those agree on. Steps of one branch share it.
fn join_beside(a: &State, b: &State, joined: &Facts) -> Rc<Beside> {
    let open = joined.iter().filter(|(_, fact)| !fact.is_certain).map(|(step, _)| *step);
    let is_known = |step: u32| Rc::ptr_eq(&a.beside, &b.beside) && a.beside.contains_key(&step);
    if open.clone().all(is_known) {
        return Rc::clone(&a.beside);
    }
    let (on_a, on_b) = (LazyCell::new(|| certain(&a.facts)), LazyCell::new(|| certain(&b.facts)));
    let none = Rc::default();
    let with = |state: &State, here: &dyn Fn() -> Rc<Facts>, step: u32| match state.facts.get(&step) {
        Some(fact) if fact.is_certain => Some(here()),
        Some(_) => Some(Rc::clone(state.beside.get(&step).unwrap_or(&none))),
        None => None,
    };
    let mut agreed: BTreeMap<(*const Facts, *const Facts), Rc<Facts>> = BTreeMap::new();
    let mut beside = Beside::new();
    for step in open {
        let (a, b) = (with(a, &|| Rc::clone(&on_a), step), with(b, &|| Rc::clone(&on_b), step));
        let known = match (a, b) {
            (Some(a), Some(b)) if !Rc::ptr_eq(&a, &b) => {
                let both = agreed.entry((Rc::as_ptr(&a), Rc::as_ptr(&b)));
                Some(Rc::clone(both.or_insert_with(|| certain(&join_facts(&a, &b)))))
            }
            (one, other) => one.or(other),
        };
        beside.extend(known.map(|known| (step, known)));
    }
    Rc::new(beside)
}

/// Those of the facts that are certain.
fn certain(facts: &Facts) -> Rc<Facts> {
    Rc::new(facts.iter().filter(|(_, fact)| fact.is_certain).map(|(step, fact)| (*step, *fact)).collect())
}

/// A variable with different values on two paths tells later which of them was taken.
fn join_ways(a: &State, b: &State) -> BTreeMap<String, Vec<Way>> {
    let facts = (Rc::new(a.facts.clone()), Rc::new(b.facts.clone()));
    let names = a.variables.keys().chain(b.variables.keys()).chain(a.ways.keys()).chain(b.ways.keys());
    let mut joined = BTreeMap::new();
    for name in names {
        let known = |state: &State| state.variables.get(name).cloned().flatten();
        let differs = a.variables.get(name) != b.variables.get(name);
        if joined.contains_key(name) || !(differs || a.ways.contains_key(name) || b.ways.contains_key(name)) {
            continue;
        }
        let of = |state: &State, facts: &Rc<Facts>| {
            let here = || vec![Way { value: known(state), facts: Rc::clone(facts) }];
            state.ways.get(name).cloned().unwrap_or_else(here)
        };
        let mut ways = of(a, &facts.0);
        ways.extend(of(b, &facts.1));
        if ways.len() <= MOST_WAYS {
            joined.insert(name.clone(), ways);
        }
    }
    joined
}

pub(super) fn join_flows(a: Flow, b: Flow) -> Flow {
    Flow { success: join(a.success, b.success), failure: join(a.failure, b.failure) }
}

/// One state for whatever the outcome was.
pub(super) fn ended(flow: Flow) -> Option<State> {
    join(flow.success, flow.failure)
}

/// A step that only one path has run is not certain; what it says of its end still holds if it ran.
pub(super) fn join_facts(a: &Facts, b: &Facts) -> Facts {
    let mut facts = a.clone();
    for (step, fact) in &mut facts {
        match b.get(step) {
            Some(other) => {
                fact.outcome = weaker(fact.outcome, other.outcome);
                fact.is_certain &= other.is_certain;
            }
            None => fact.is_certain = false,
        }
    }
    for (step, fact) in b {
        facts.entry(*step).or_insert(Fact { is_certain: false, ..*fact });
    }
    facts
}

/// What the shells of two paths both remember; facts are left to the caller.
fn agree(a: State, b: &State) -> State {
    let mut agreed = a;
    for (name, value) in &mut agreed.variables {
        if b.variables.get(name) != Some(value) {
            *value = None;
        }
    }
    for name in b.variables.keys() {
        agreed.variables.entry(name.clone()).or_insert(None);
    }
    agreed.excluded.extend(&b.excluded);
    agreed.probes.retain(|name, list| b.probes.get(name).is_some_and(|other| Rc::ptr_eq(list, other)));
    for (name, body) in &b.functions {
        agreed.functions.entry(name.clone()).or_insert_with(|| Rc::clone(body));
    }
    if agreed.folder != b.folder {
        agreed.folder = None;
    }
    if agreed.folders != b.folders {
        agreed.folders.clear();
    }
    if agreed.namespace != b.namespace {
        agreed.namespace = None;
    }
    // A promise must hold on every path: one that goes on after a failure decides.
    agreed.stops_on_failure &= b.stops_on_failure;
    agreed.pipe_fails &= b.pipe_fails;
    agreed.jobs.retain(|job| b.jobs.iter().any(|other| other.number == job.number));
    agreed.last = None;
    agreed
}
