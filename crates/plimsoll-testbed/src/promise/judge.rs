//! One case: what the model promises of it, and whether the requests kept it.

mod delivery;
mod gate;
mod promised;
mod pruning;
mod removal;

use super::case::{Case, SCRIPT};
use super::play::Played;
use super::tally::Tally;
use super::trace::Trace;
use plimsoll_knowledge::{Scene, know};
use plimsoll_model::{Action, After, Bundle, Operation, Outcome, Step};
use plimsoll_sources::{Input, Memory, read};
use promised::Promised;
use std::collections::BTreeMap;

/// A case with everything that was seen of it.
pub(super) struct Seen<'a> {
    pub(super) bundle: &'a Bundle,
    pub(super) played: &'a Played,
    /// The requests of each command, by its number.
    pub(super) traces: &'a BTreeMap<usize, Trace>,
}

/// What was counted, and what contradicts the model, in words.
#[derive(Debug, Default)]
pub(super) struct Judgement {
    pub(super) tally: Tally,
    pub(super) contradictions: Vec<String>,
}

/// The bundle that the readers make of a case.
pub(super) fn bundle(case: &Case, prefix: &str) -> Bundle {
    let input = Input { scripts: vec![SCRIPT.to_owned()], ..Input::default() };
    read(&input, &Memory::new(case.render(prefix)))
}

/// Compares a case with the model.
pub(super) fn judge(seen: &Seen<'_>) -> Judgement {
    let mut judgement = Judgement::default();
    judgement.tally.cases = 1;
    for problem in seen.bundle.problems.iter().filter(|problem| problem.is_fatal) {
        judgement.contradict(format!("the case cannot be read: {}", problem.cause));
    }
    let scene = Scene { kube_version: plimsoll_schema::newest(), operation: Operation::Install };
    let known = know(seen.bundle, scene);
    Promised::of(&known).compare(seen, &mut judgement);
    for (number, step) in seen.bundle.steps.iter().enumerate() {
        let is_run = seen.played.codes.contains_key(&number);
        check_whether_run(seen, number, step, is_run, &mut judgement);
        if !is_run {
            continue;
        }
        judgement.tally.commands += 1;
        let trace = seen.trace(number);
        judgement.tally.requests += trace.requests.len();
        match &step.action {
            Action::Deliver(unit) => delivery::check(seen, number, unit, trace, &mut judgement),
            Action::Remove(removal) => removal::check(seen, number, removal, trace, &mut judgement),
            Action::Wait(_) => gate::check(seen, number, trace, &mut judgement),
            other => judgement.contradict(format!("command {number} is not understood: {other:?}")),
        }
    }
    if !judgement.contradictions.is_empty() && !seen.played.complaints.is_empty() {
        judgement.contradict(format!("the commands said:\n{}", seen.played.complaints));
    }
    judgement
}

/// `set -e`, `&&` and `||` decide by exit codes which commands run.
fn check_whether_run(seen: &Seen<'_>, number: usize, step: &Step, is_run: bool, judgement: &mut Judgement) {
    let holds = |after: &After| {
        let code = seen.played.codes.get(&(after.step.0 as usize));
        match after.outcome {
            Outcome::Succeeded => code == Some(&0),
            Outcome::Ended | Outcome::Begun => code.is_some(),
        }
    };
    let may_run = step.after.iter().filter(|after| after.unless_skipped.is_none()).all(holds);
    if is_run && !may_run {
        judgement.contradict(format!("command {number} ran although what it waits for had failed"));
    }
    if !is_run && may_run && !step.may_be_skipped {
        judgement.contradict(format!("command {number} did not run although nothing before it had failed"));
    }
    let has_failed = step
        .after
        .iter()
        .any(|after| seen.played.codes.get(&(after.step.0 as usize)).is_some_and(|code| *code != 0));
    judgement.tally.run_after_failure += usize::from(is_run && has_failed);
    judgement.tally.stopped_by_failure += usize::from(!is_run);
}

impl<'a> Seen<'a> {
    pub(super) fn trace(&self, number: usize) -> &'a Trace {
        const NONE: &Trace = &Trace { requests: Vec::new(), discoveries: Vec::new() };
        self.traces.get(&number).unwrap_or(NONE)
    }

    pub(super) fn code(&self, number: usize) -> i32 {
        self.played.codes.get(&number).copied().unwrap_or(-1)
    }
}

impl Judgement {
    pub(super) fn contradict(&mut self, what: String) {
        self.contradictions.push(what);
    }
}
