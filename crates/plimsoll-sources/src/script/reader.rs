//! The interpreter's memory: steps found so far, what was said about them, and how paths come together.

use super::expand::{Expander, Field};
use super::files::Shelf;
use super::reduce;
use super::says::secret_values;
use super::state::{Facts, Flow, State, ended};
use super::syntax::{HereDocument, List, Piece, Position, Word};
use crate::reading::Reading;
use plimsoll_model::{Action, After, FileIndex, Outcome, Place, Step, StepIndex};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Duration;

/// How many steps a script may have; loops and functions multiply.
pub(super) const MOST_STEPS: usize = 2000;

/// How many commands are followed in all.
const MOST_COMMANDS: u32 = 50_000;

/// Walks a script and writes its steps into a bundle.
pub(super) struct Reader<'a, 'h> {
    pub(super) shelf: Shelf<'h>,
    pub(super) reading: &'a mut Reading<'h>,
    pub(super) steps: &'a mut Vec<Step>,
    /// Where this script's steps begin.
    base: usize,
    /// The namespace of objects that name none, unless the script says otherwise.
    pub(super) namespace: &'a str,
    pub(super) script: Script,
    /// Whether a failure here does not stop the script, whatever `set -e` says.
    pub(super) is_ignoring: bool,
    /// Whether what is looked at here is looked at again and again.
    pub(super) is_polling: bool,
    /// The limit of an enclosing `timeout`.
    pub(super) deadline: Option<Duration>,
    /// Ways out of the enclosing loops: by `break`, by `continue`.
    pub(super) loops: Vec<(Option<State>, Option<State>)>,
    /// Ways out of the enclosing functions by `return`.
    pub(super) calls: Vec<Flow>,
    /// Ways out of the enclosing shells by `exit` or a failure.
    pub(super) shells: Vec<Flow>,
    pub(super) depth: u32,
    /// How many commands may still be run.
    pub(super) budget: u32,
    pub(super) jobs: u32,
    pub(super) said: BTreeSet<String>,
    /// The addresses of chart repositories, by the names that the script gives them.
    pub(super) repositories: BTreeMap<String, String>,
    /// The commands of a pipeline before the one that runs, as they were written.
    pub(super) piped_from: String,
    secrets: BTreeSet<String>,
}

/// The script that is being read.
#[derive(Clone)]
pub(super) struct Script {
    pub(super) path: Rc<str>,
    pub(super) file: FileIndex,
    pub(super) documents: Rc<[HereDocument]>,
}

impl<'a, 'h> Reader<'a, 'h> {
    pub(super) fn new(
        path: &str,
        file: FileIndex,
        namespace: &'a str,
        reading: &'a mut Reading<'h>,
        steps: &'a mut Vec<Step>,
    ) -> Self {
        Self {
            shelf: Shelf { host: reading.host() },
            base: steps.len(),
            reading,
            steps,
            namespace,
            script: Script { path: path.into(), file, documents: [].into() },
            is_ignoring: false,
            is_polling: false,
            deadline: None,
            loops: Vec::new(),
            calls: Vec::new(),
            shells: vec![Flow::default()],
            depth: 0,
            budget: MOST_COMMANDS,
            jobs: 0,
            said: BTreeSet::new(),
            repositories: BTreeMap::new(),
            piped_from: String::new(),
            secrets: BTreeSet::new(),
        }
    }

    /// Walks a whole script that begins behind the steps that are there.
    pub(super) fn walk(&mut self, list: &List, mut state: State) {
        for step in 0..self.base {
            let number = u32::try_from(step).unwrap_or(u32::MAX);
            state = state.with_fact(number, Outcome::Ended);
        }
        let flow = self.list(list, state);
        if let Some(end) = ended(flow) {
            self.certain(&end);
        }
    }
}

impl Reader<'_, '_> {
    pub(super) fn place(&self, at: Position) -> Place {
        Place { file: self.script.file, line: at.line, column: at.column }
    }

    /// Adds a step that begins where the state stands.
    pub(super) fn emit(&mut self, action: Action, at: Position, says: &str, state: &State) -> Option<u32> {
        let number = self.steps.len();
        if number - self.base >= MOST_STEPS {
            self.say_once(
                at,
                true,
                format!("the script has more than {MOST_STEPS} steps; the rest is not read"),
            );
            return None;
        }
        let after = self.certain(state);
        let (place, says) = (Some(self.place(at)), shortened(says));
        self.steps.push(Step {
            action,
            after,
            may_be_skipped: false,
            branch: None,
            is_presumed: false,
            place,
            says,
            marks: Vec::new(),
        });
        u32::try_from(number).ok()
    }

    /// What is certain before the next step. Of steps that may have been passed over the order is kept, and the waits that
    /// came with them; any other wait that may not have happened proves nothing.
    fn certain(&mut self, state: &State) -> Vec<After> {
        let mut after = Vec::new();
        let mut branches: BTreeMap<*const Facts, (StepIndex, StepIndex)> = BTreeMap::new();
        for (number, fact) in &state.facts {
            let Some(step) = self.steps.get_mut(*number as usize) else { continue };
            let number = StepIndex(*number);
            step.may_be_skipped |= !fact.is_certain;
            if fact.is_certain {
                after.push(After { step: number, outcome: fact.outcome, unless_skipped: None });
            } else if !is_pause(step) {
                // Steps of one branch have run together or not at all: the first of them stands for all.
                let own = (number, step.branch.unwrap_or(number));
                let together = state.beside.get(&number.0).map(Rc::as_ptr);
                let (_, first) = together.map_or(own, |together| *branches.entry(together).or_insert(own));
                let first = *step.branch.get_or_insert(first);
                after.push(After { step: number, outcome: fact.outcome, unless_skipped: Some(first) });
            }
        }
        for (step, first) in branches.into_values() {
            after.extend(self.waits_beside(state, step, first));
        }
        for number in state.excluded.iter().filter(|number| !state.facts.contains_key(number)) {
            if let Some(step) = self.steps.get_mut(*number as usize) {
                step.may_be_skipped = true;
                let number = StepIndex(*number);
                after.push(After { step: number, outcome: Outcome::Ended, unless_skipped: Some(number) });
            }
        }
        after.sort_by_key(|edge| (edge.step, edge.unless_skipped));
        after
    }

    /// The waits behind a step that belong to its branch, and are over wherever it has run.
    fn waits_beside(&self, state: &State, step: StepIndex, first: StepIndex) -> Vec<After> {
        let Some(beside) = state.beside.get(&step.0) else { return Vec::new() };
        let is_wait = |number: u32| self.steps.get(number as usize).is_some_and(is_pause);
        let is_open = |number: &u32| state.facts.get(number).is_none_or(|fact| !fact.is_certain);
        let is_together = |number: &u32| state.beside.get(number).is_some_and(|own| Rc::ptr_eq(own, beside));
        let behind = beside.range(step.0..);
        let waits = behind.filter(|(number, _)| is_open(number) && is_together(number) && is_wait(**number));
        waits
            .map(|(number, fact)| After {
                step: StepIndex(*number),
                outcome: fact.outcome,
                unless_skipped: Some(first),
            })
            .collect()
    }

    /// The two ways out of a step that was just begun.
    pub(super) fn outcomes(step: Option<u32>, state: State) -> Flow {
        let Some(step) = step else { return Flow::either(state) };
        Flow {
            success: Some(state.clone().with_fact(step, Outcome::Succeeded)),
            failure: Some(state.with_fact(step, Outcome::Ended)),
        }
    }

    pub(super) fn problem(&mut self, at: Position, is_fatal: bool, cause: String) {
        let place = self.place(at);
        self.reading.problem(place, cause, is_fatal);
    }

    /// Says something that holds for the whole script only at its first place.
    pub(super) fn say_once(&mut self, at: Position, is_fatal: bool, cause: String) {
        if self.said.insert(cause.clone()) {
            self.problem(at, is_fatal, cause);
        }
    }

    pub(super) fn expander<'b>(&'b self, state: &'b State) -> Expander<'b> {
        Expander { state, script: &self.script.path, shelf: &self.shelf }
    }

    pub(super) fn fields(&self, words: &[Word], state: &State) -> Vec<Field> {
        let expander = self.expander(state);
        words.iter().flat_map(|word| expander.fields(word)).collect()
    }

    pub(super) fn joined(&self, pieces: &[Piece], state: &State) -> Field {
        self.expander(state).joined(pieces)
    }

    /// Steps of branches that exclude each other: the later one is said to come behind the end of the earlier one,
    /// so that nobody takes them for concurrent.
    pub(super) fn exclude(&self, from: usize, state: &mut State) {
        for (number, step) in self.steps.iter().enumerate().skip(from) {
            if let Ok(number) = u32::try_from(number)
                && !is_pause(step)
            {
                state.excluded.insert(number);
            }
        }
    }

    /// Remembers a secret value, so that it is taken out of everything that is shown.
    pub(super) fn keep_secret(&mut self, value: Option<&str>) {
        if let Some(value) = value.map(str::trim).filter(|value| !value.is_empty()) {
            self.secrets.insert(value.to_owned());
        }
    }

    /// Hides the lines on which a command names a secret value.
    pub(super) fn note_secrets(&mut self, words: &[Word]) {
        for (line, value) in secret_values(words) {
            let more = u32::try_from(value.lines().count().saturating_sub(1)).unwrap_or_default();
            self.reading.hide(self.script.file, line..=line + more);
            self.keep_secret(Some(&value));
        }
    }

    /// Takes secret values out of sight and drops what follows from the rest.
    pub(super) fn finish(mut self) {
        reduce::reduce(self.steps, self.base);
        let secrets = std::mem::take(&mut self.secrets);
        for secret in secrets.iter().filter(|secret| secret.chars().count() > 3) {
            for step in self.steps.iter_mut().skip(self.base) {
                step.says = step.says.replace(secret.as_str(), "…");
            }
            self.hide_wherever(secret);
        }
    }

    /// Hides every line of the script that holds a text.
    fn hide_wherever(&mut self, secret: &str) {
        let Some(text) = self.reading.text(self.script.file) else { return };
        for (number, line) in (1_u32..).zip(text.lines()) {
            if secret.lines().any(|part| !part.is_empty() && line.contains(part)) {
                self.reading.hide(self.script.file, number..=number);
            }
        }
    }
}

/// Whether a step only lets time pass.
fn is_pause(step: &Step) -> bool {
    matches!(step.action, Action::Wait(_) | Action::Sleep(_))
}

/// At most 120 characters of a command.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 120;
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    text.chars().take(LONGEST - 1).chain(['…']).collect()
}
