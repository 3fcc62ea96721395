//! Lists, `&&` and `||`, pipelines, subshells and background jobs: which commands run, and what stops the script.
//!
//! `set -e` as bash has it (manual, "The Set Builtin"): it is ignored in conditions, behind `!`, and for every
//! pipeline of an and-or list but the last; a compound command that fails for such an ignored failure does not stop
//! the script, a subshell and a function call do.

use super::reader::Reader;
use super::says::says_command;
use super::state::{Flow, Job, Last, State, ended, join_flows};
use super::supply::Supply;
use super::syntax::{Body, Command, Item, Joint, List, Pipeline, Position};
use std::rc::Rc;

/// How deep commands may be nested, functions and other scripts included.
const DEEPEST: u32 = 150;

impl Reader<'_, '_> {
    pub(super) fn list(&mut self, list: &List, state: State) -> Flow {
        let Some((first, rest)) = list.0.split_first() else { return Flow::success(state) };
        let mut flow = self.item(first, state);
        for item in rest {
            let Some(state) = proceed(flow) else { return Flow::default() };
            flow = self.item(item, state);
        }
        flow
    }

    fn item(&mut self, item: &Item, mut state: State) -> Flow {
        if item.in_background {
            return self.background(item, state);
        }
        let Some((_, last)) = item.rest.last() else {
            return self.pipeline(&item.first, state, false);
        };
        let mut flow = self.pipeline(&item.first, std::mem::take(&mut state), true);
        for (joint, pipeline) in &item.rest {
            let is_last = std::ptr::eq(pipeline, last);
            let (goes_on, stays) = match joint {
                Joint::And => (flow.success, Flow { success: None, failure: flow.failure }),
                Joint::Or => (flow.failure, Flow { success: flow.success, failure: None }),
            };
            let next = goes_on.map(|state| self.pipeline(pipeline, state, !is_last)).unwrap_or_default();
            flow = join_flows(stays, next);
        }
        flow
    }

    fn pipeline(&mut self, pipeline: &Pipeline, state: State, is_exempt: bool) -> Flow {
        let ignores = is_exempt || pipeline.is_negated;
        let flow = self.ignoring(ignores, |reader| reader.stages(pipeline, state));
        if pipeline.is_negated {
            return flow.swapped();
        }
        let stops = !ignores && !self.is_ignoring && can_stop(&pipeline.commands);
        match flow.failure {
            Some(failure) if stops && failure.stops_on_failure => {
                self.leave_shell(Flow::failure(failure));
                Flow { success: flow.success, failure: None }
            }
            failure => Flow { success: flow.success, failure },
        }
    }

    /// Runs a part in which failures do not stop the script.
    pub(super) fn ignoring<T>(&mut self, ignores: bool, part: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.is_ignoring;
        self.is_ignoring |= ignores;
        let result = part(self);
        self.is_ignoring = before;
        result
    }

    pub(super) fn leave_shell(&mut self, flow: Flow) {
        if let Some(so_far) = self.shells.pop() {
            let joined = join_flows(so_far, flow);
            self.shells.push(joined);
        }
    }

    fn stages(&mut self, pipeline: &Pipeline, state: State) -> Flow {
        if let [command] = pipeline.commands.as_slice() {
            return self.command(command, state, &Supply::Nothing);
        }
        if let Some(flow) = self.piped_gate(&pipeline.commands, &state) {
            return flow;
        }
        let before = self.piped_from.clone();
        let mut supply = Supply::Nothing;
        let mut flows = Vec::new();
        for command in &pipeline.commands {
            let next = self.supply_of(command, &state, &supply);
            let part = |reader: &mut Self, state| reader.command(command, state, &supply);
            flows.push(self.in_subshell(state.clone(), part));
            supply = next;
            self.piped_from = format!("{}{} | ", self.piped_from, says_command(command));
        }
        self.piped_from = before;
        piped(flows, state)
    }

    /// Runs a part whose `exit`, `cd` and variables do not reach the rest of the script.
    pub(super) fn in_subshell(&mut self, state: State, part: impl FnOnce(&mut Self, State) -> Flow) -> Flow {
        let loops = std::mem::take(&mut self.loops);
        let calls = std::mem::take(&mut self.calls);
        self.shells.push(Flow::default());
        let outer = state.clone();
        let flow = part(self, State { jobs: Vec::new(), ..state });
        let exits = self.shells.pop().unwrap_or_default();
        self.loops = loops;
        self.calls = calls;
        let flow = join_flows(flow, exits);
        let back = |inner: State| State { facts: inner.facts, beside: inner.beside, ..outer.clone() };
        Flow { success: flow.success.map(back), failure: flow.failure.map(back) }
    }

    pub(super) fn subshell(&mut self, list: &List, state: State) -> Flow {
        self.in_subshell(state, |reader, state| reader.list(list, state))
    }

    fn background(&mut self, item: &Item, mut state: State) -> Flow {
        let foreground = Item { in_background: false, ..item.clone() };
        let flow = self.in_subshell(state.clone(), |reader, state| reader.item(&foreground, state));
        self.jobs += 1;
        let facts = |state: Option<State>| state.map(|state| state.facts);
        state.jobs.push(Job {
            number: self.jobs,
            succeeded: facts(flow.success),
            failed: facts(flow.failure),
        });
        state.set("!", Some(self.jobs.to_string()));
        Flow::success(state)
    }

    pub(super) fn command(&mut self, command: &Command, state: State, supply: &Supply) -> Flow {
        if !self.may_go_on(command.at) {
            return Flow::either(state);
        }
        self.depth += 1;
        let flow = self.run(command, state, supply);
        self.depth -= 1;
        flow
    }

    /// Loops and functions multiply, and recursion has no end: both are bounded.
    fn may_go_on(&mut self, at: Position) -> bool {
        self.budget = self.budget.saturating_sub(1);
        if self.depth > DEEPEST {
            self.say_once(at, true, "commands call each other too deeply; the rest is not read".to_owned());
        } else if self.budget == 0 {
            self.say_once(
                at,
                true,
                "the script runs too many commands to follow; the rest is not read".to_owned(),
            );
        }
        self.depth <= DEEPEST && self.budget > 0
    }

    fn run(&mut self, command: &Command, state: State, supply: &Supply) -> Flow {
        let supply = self.redirected(command, &state).unwrap_or_else(|| supply.clone());
        match &command.body {
            Body::Simple(simple) => self.simple(command, simple, state, &supply),
            Body::Group(list) => self.list(list, state),
            Body::Subshell(list) => self.subshell(list, state),
            Body::If { arms, otherwise } => self.condition(arms, otherwise.as_ref(), state),
            Body::Loop { is_until, condition, body } => self.repeat(*is_until, condition, body, state),
            Body::For(each) => self.for_each(each, command.at, state),
            Body::CountedFor { body } => self.some_times(body, state),
            Body::Case { arms } => self.case(arms, state),
            Body::Function { name, body } => {
                let mut state = state;
                state.functions.insert(name.clone(), Rc::clone(body));
                Flow::success(state)
            }
            Body::Test(words) => self.test(words, state, command.at),
            Body::Arithmetic => Flow::either(state),
        }
    }
}

/// Whether the failure of this pipeline can stop the script: not that of a lone compound command.
fn can_stop(commands: &[Command]) -> bool {
    match commands {
        [command] => {
            matches!(command.body, Body::Simple(_) | Body::Subshell(_) | Body::Test(_) | Body::Arithmetic)
        }
        _ => true,
    }
}

/// The state in which the next command of a list begins.
fn proceed(flow: Flow) -> Option<State> {
    let last = match (&flow.success, &flow.failure) {
        (Some(success), Some(failure)) => {
            Some(Rc::new(Last { succeeded: success.facts.clone(), failed: failure.facts.clone() }))
        }
        _ => None,
    };
    let mut state = ended(flow)?;
    state.last = last;
    Some(state)
}

/// What holds after a pipeline: all parts have ended, and the last one decides unless `pipefail` is set.
fn piped(mut flows: Vec<Flow>, state: State) -> Flow {
    let Some(last) = flows.pop() else { return Flow::success(state) };
    let can_fail = last.failure.is_some() || (state.pipe_fails && flows.iter().any(|f| f.failure.is_some()));
    let mut success = last.success.as_ref().map(|end| {
        let mut success = state.clone();
        success.learn(&end.facts);
        success
    });
    let mut failure = state.clone();
    for flow in flows {
        let succeeded = flow.success.as_ref().map(|end| end.facts.clone());
        let ended = ended(flow).map(|end| end.facts).unwrap_or_default();
        failure.learn(&ended);
        let certain = if state.pipe_fails { succeeded } else { Some(ended) };
        success = success.zip(certain).map(|(mut success, facts)| {
            success.learn(&facts);
            success
        });
    }
    if let Some(end) = ended(last) {
        failure.learn(&end.facts);
    }
    Flow { success, failure: can_fail.then_some(failure) }
}
