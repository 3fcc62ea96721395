//! Conditions, loops and cases: paths part and come together again.

use super::probes::counted;
use super::reader::Reader;
use super::state::{Flow, State, ended, join, join_flows};
use super::syntax::{Body, CaseArm, For, Item, List, Position, Word};

/// The longest list a `for` is unrolled over.
const MOST_ROUNDS: usize = 64;

/// Words that leave a loop.
const LEAVES: [&str; 3] = ["break", "return", "exit"];

/// Verbs that send or remove objects.
const SENDS: [&str; 8] = ["apply", "create", "replace", "delete", "install", "upgrade", "patch", "run"];

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
    pub(super) fn repeat(&mut self, is_until: bool, condition: &List, body: &List, mut state: State) -> Flow {
        self.lower_flags(body, &mut state);
        let asked =
            self.polling(true, |reader| reader.ignoring(true, |reader| reader.list(condition, state)));
        let asked = if is_until { asked } else { asked.swapped() };
        let (mut exit, again) = (asked.success, asked.failure);
        let Some(again) = again else { return exit.map(Flow::success).unwrap_or_default() };
        let counted = sole_words(condition).and_then(|words| counted(words, is_until));
        if let (Some((name, last)), Some(exit)) = (&counted, &mut exit) {
            exit.set(name, Some(last.clone()));
        }
        let polls = exit.is_none() || counted.is_some();
        let (mut end, breaks, can_fail) = self.polling(polls, |reader| reader.round(body, again));
        if let (Some((name, last)), Some(end)) = (counted, &mut end) {
            end.set(name, Some(last));
        }
        let later = exit.as_ref().zip(end).map(|(exit, mut end)| {
            end.learn(&exit.facts);
            end
        });
        let left = join(exit, later);
        let success = join(left, breaks);
        Flow { failure: success.clone().filter(|_| can_fail), success }
    }

    /// A variable that a loop sets, and that nothing has set or read before, is empty until then: `READY=1; break`.
    fn lower_flags(&self, body: &List, state: &mut State) {
        let text = self.reading.text(self.script.file).unwrap_or_default();
        let is_read_first = |name: &str| {
            let reads = [format!("${name}"), format!("${{{name}")];
            let read = reads.iter().filter_map(|read| text.find(read)).min();
            read.is_some_and(|read| first_set(&text, name).is_none_or(|set| read < set))
        };
        for name in flags(body) {
            if !state.variables.contains_key(name) && !is_read_first(name) {
                state.set(name, Some(String::new()));
            }
        }
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
        self.lower_flags(body, &mut state);
        let fields = match values {
            Some(words) => self.fields(words, &state),
            None => Vec::new(),
        };
        let is_known = values.is_some() && fields.iter().all(|field| field.unknown.is_none());
        let counts = is_known && fields.iter().all(|field| field.text.parse::<u32>().is_ok());
        let only_repeats = breaks_out(body) && (!uses_name || (counts && !delivers(body)));
        if !is_known || fields.len() > MOST_ROUNDS || only_repeats {
            if !only_repeats {
                let cause =
                    format!("the list of `for {name}` is not known or too long; its body is read once");
                self.problem(at, false, cause);
            }
            let may_be_empty = fields.iter().any(|field| field.unknown.is_some()) || fields.is_empty();
            let last = fields.last().filter(|_| counts).map(|field| field.text.clone());
            state.count(name, last);
            let polls = only_repeats || self.is_polling;
            return self.polling(polls, |reader| reader.rounds_unknown(name, body, state, may_be_empty));
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
    pub(super) fn some_times(&mut self, body: &List, mut state: State) -> Flow {
        self.lower_flags(body, &mut state);
        let polls = breaks_out(body) || self.is_polling;
        self.polling(polls, |reader| reader.rounds_unknown("", body, state, true))
    }

    /// The last round stands for all: who leaves earlier leaves as it does, and only after it the loop is over.
    fn rounds_unknown(&mut self, name: &str, body: &List, state: State, may_be_empty: bool) -> Flow {
        let untouched = may_be_empty.then(|| state.clone());
        let (end, mut breaks, can_fail) = self.round(body, state);
        if let Some(breaks) = &mut breaks {
            breaks.set(name, None);
        }
        let ran = join(end, breaks);
        let success = join(ran, untouched);
        Flow { failure: success.clone().filter(|_| can_fail), success }
    }
}

/// Where a text first sets a variable, and not one whose name only ends alike.
fn first_set(text: &str, name: &str) -> Option<usize> {
    let is_of_a_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let mut found = text.match_indices(name).filter(|(at, _)| {
        let (before, behind) = text.split_at(*at);
        !before.ends_with(is_of_a_name) && behind.get(name.len()..).is_some_and(|rest| rest.starts_with('='))
    });
    found.next().map(|(at, _)| at)
}

/// The words of a condition that is one test.
fn sole_words(list: &List) -> Option<&[Word]> {
    let [item] = list.0.as_slice() else { return None };
    let [command] = item.first.commands.as_slice() else { return None };
    match &command.body {
        Body::Simple(simple) if item.rest.is_empty() && !item.first.is_negated => Some(&simple.words),
        Body::Test(words) if item.rest.is_empty() && !item.first.is_negated => Some(words),
        _ => None,
    }
}

/// The variables that a list sets by itself, not in a loop or function inside it.
fn flags(list: &List) -> Vec<&str> {
    let pipelines = list
        .0
        .iter()
        .flat_map(|item| std::iter::once(&item.first).chain(item.rest.iter().map(|(_, pipeline)| pipeline)));
    let commands = pipelines.flat_map(|pipeline| &pipeline.commands);
    commands
        .flat_map(|command| match &command.body {
            Body::Simple(simple) if simple.words.is_empty() => {
                simple.assignments.iter().map(|assignment| assignment.name.as_str()).collect()
            }
            Body::Group(list) => flags(list),
            Body::If { arms, otherwise } => {
                arms.iter().map(|(_, body)| body).chain(otherwise).flat_map(flags).collect()
            }
            _ => Vec::new(),
        })
        .collect()
}

/// Whether a `break`, `return` or `exit` can end the loop that this is the body of.
fn breaks_out(list: &List) -> bool {
    list.0.iter().any(item_breaks_out)
}

/// Whether a command in it sends or removes objects, or waits for a job by its number, so that every round counts.
fn delivers(list: &List) -> bool {
    let sends = |word: &Word| SENDS.contains(&word.text.as_str());
    list.0.iter().any(|item| {
        let pipelines = std::iter::once(&item.first).chain(item.rest.iter().map(|(_, pipeline)| pipeline));
        pipelines.flat_map(|pipeline| &pipeline.commands).any(|command| match &command.body {
            Body::Simple(simple) => {
                simple.words.iter().any(sends) || simple.words.first().is_some_and(|word| word.text == "wait")
            }
            Body::Group(list) | Body::Subshell(list) => delivers(list),
            Body::If { arms, otherwise } => {
                arms.iter().any(|(condition, body)| delivers(condition) || delivers(body))
                    || otherwise.as_ref().is_some_and(delivers)
            }
            Body::Case { arms } => arms.iter().any(|arm| delivers(&arm.body)),
            Body::Loop { condition, body, .. } => delivers(condition) || delivers(body),
            Body::For(For { body, .. }) | Body::CountedFor { body } => delivers(body),
            Body::Function { .. } | Body::Test(_) | Body::Arithmetic => false,
        })
    })
}

fn item_breaks_out(item: &Item) -> bool {
    let pipelines = std::iter::once(&item.first).chain(item.rest.iter().map(|(_, pipeline)| pipeline));
    pipelines.flat_map(|pipeline| &pipeline.commands).any(|command| match &command.body {
        Body::Simple(simple) => simple.words.first().is_some_and(|word| LEAVES.contains(&word.text.as_str())),
        Body::Group(list) => breaks_out(list),
        Body::If { arms, otherwise } => {
            arms.iter().any(|(condition, body)| breaks_out(condition) || breaks_out(body))
                || otherwise.as_ref().is_some_and(breaks_out)
        }
        Body::Case { arms } => arms.iter().any(|arm| breaks_out(&arm.body)),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::first_set;

    #[test]
    fn a_variable_is_not_set_by_one_whose_name_ends_alike() {
        assert_eq!(first_set("DATA=1; echo $A; A=2", "A"), Some(17));
        assert_eq!(first_set("DATA=1; A_B=3", "A"), None);
    }
}
