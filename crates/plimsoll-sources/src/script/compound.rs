//! Conditions, loops and cases: paths part and come together again.

use super::reader::Reader;
use super::state::{Flow, State, ended, join, join_flows};
use super::syntax::{Body, CaseArm, For, Item, List, Position};

/// The longest list a `for` is unrolled over.
const MOST_ROUNDS: usize = 64;

impl Reader<'_, '_> {
    pub(super) fn condition(
        &mut self,
        arms: &[(List, List)],
        otherwise: Option<&List>,
        state: State,
    ) -> Flow {
        let mut remaining = Some(state);
        let mut flow = Flow::default();
        for (condition, body) in arms {
            let Some(state) = remaining else { return flow };
            let asked = self.ignoring(true, |reader| reader.list(condition, state));
            let from = self.steps.len();
            if let Some(state) = asked.success {
                let taken = self.list(body, state);
                flow = join_flows(flow, taken);
            }
            remaining = asked.failure;
            if let Some(state) = &mut remaining
                && (otherwise.is_some() || arms.len() > 1)
            {
                self.exclude(from, state);
            }
        }
        let rest = match (remaining, otherwise) {
            (Some(state), Some(list)) => self.list(list, state),
            (Some(state), None) => Flow::success(state),
            (None, _) => Flow::default(),
        };
        join_flows(flow, rest)
    }

    pub(super) fn case(&mut self, arms: &[CaseArm], state: State) -> Flow {
        let mut flow = Flow::default();
        let from = self.steps.len();
        for arm in arms {
            let mut start = state.clone();
            self.exclude(from, &mut start);
            let taken = self.list(&arm.body, start);
            flow = join_flows(flow, taken);
        }
        let takes_all = arms.iter().any(|arm| arm.patterns.iter().any(|pattern| pattern.text == "*"));
        if takes_all { flow } else { join_flows(flow, Flow::success(state)) }
    }

    /// `while` and `until`: the loop is left by its condition or by `break`.
    pub(super) fn repeat(&mut self, is_until: bool, condition: &List, body: &List, state: State) -> Flow {
        let asked =
            self.polling(true, |reader| reader.ignoring(true, |reader| reader.list(condition, state)));
        let asked = if is_until { asked } else { asked.swapped() };
        let (exit, again) = (asked.success, asked.failure);
        let Some(again) = again else { return exit.map(Flow::success).unwrap_or_default() };
        let is_endless = exit.is_none();
        let (end, breaks, can_fail) = self.polling(is_endless, |reader| reader.round(body, again));
        let later = exit.as_ref().zip(end).map(|(exit, mut end)| {
            end.learn(&exit.facts);
            end
        });
        let left = join(exit, later);
        let success = join(left, breaks);
        Flow { failure: success.clone().filter(|_| can_fail), success }
    }

    fn polling<T>(&mut self, polls: bool, part: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.is_polling, polls);
        let result = part(self);
        self.is_polling = before;
        result
    }

    /// One round of a loop: how its body ends, how `break` leaves it, and whether it can end with a failure.
    fn round(&mut self, body: &List, state: State) -> (Option<State>, Option<State>, bool) {
        self.loops.push((None, None));
        let flow = self.list(body, state);
        let (breaks, continues) = self.loops.pop().unwrap_or_default();
        let can_fail = flow.failure.is_some();
        let end = ended(flow);
        (join(end, continues), breaks, can_fail)
    }

    pub(super) fn for_each(&mut self, each: &For, at: Position, mut state: State) -> Flow {
        let For { name, values, body, uses_name } = each;
        let only_repeats = breaks_out(body) && !uses_name;
        let fields = match values {
            Some(words) => self.fields(words, &state),
            None => Vec::new(),
        };
        let is_known = values.is_some() && fields.iter().all(|field| field.unknown.is_none());
        if !is_known || fields.len() > MOST_ROUNDS || only_repeats {
            if !only_repeats {
                let cause =
                    format!("the list of `for {name}` is not known or too long; its body is read once");
                self.problem(at, false, cause);
            }
            state.set(name, None);
            let may_be_empty = fields.iter().any(|field| field.unknown.is_some()) || fields.is_empty();
            return self.rounds_unknown(body, state, may_be_empty);
        }
        let mut left = None;
        let mut can_fail = false;
        let mut current = Some(state);
        for field in fields {
            let Some(mut state) = current else { break };
            state.set(name, Some(field.text));
            let (end, breaks, fails) = self.round(body, state);
            left = join(left, breaks);
            current = end;
            can_fail = fails;
        }
        let success = join(current, left);
        Flow { failure: success.clone().filter(|_| can_fail), success }
    }

    /// A loop whose number of rounds is not known.
    pub(super) fn some_times(&mut self, body: &List, state: State) -> Flow {
        self.rounds_unknown(body, state, true)
    }

    fn rounds_unknown(&mut self, body: &List, state: State, may_be_empty: bool) -> Flow {
        let untouched = may_be_empty.then(|| state.clone());
        let (end, breaks, can_fail) = self.round(body, state);
        let ran = join(end, breaks);
        let success = join(ran, untouched);
        Flow { failure: success.clone().filter(|_| can_fail), success }
    }
}

/// Whether a `break` can end the loop that this is the body of.
fn breaks_out(list: &List) -> bool {
    list.0.iter().any(item_breaks_out)
}

fn item_breaks_out(item: &Item) -> bool {
    let pipelines = std::iter::once(&item.first).chain(item.rest.iter().map(|(_, pipeline)| pipeline));
    pipelines.flat_map(|pipeline| &pipeline.commands).any(|command| match &command.body {
        Body::Simple(simple) => simple.words.first().is_some_and(|word| word.text == "break"),
        Body::Group(list) => breaks_out(list),
        Body::If { arms, otherwise } => {
            arms.iter().any(|(condition, body)| breaks_out(condition) || breaks_out(body))
                || otherwise.as_ref().is_some_and(breaks_out)
        }
        Body::Case { arms } => arms.iter().any(|arm| breaks_out(&arm.body)),
        _ => false,
    })
}
