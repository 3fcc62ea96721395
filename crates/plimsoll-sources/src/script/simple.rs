//! Simple commands: assignments, builtins, functions, and programs by name.

use super::expand::Field;
use super::grammar::{as_assignment, parse_at};
use super::probes::{sole_substitution, variable_of};
use super::reader::{Reader, Script};
use super::state::{Facts, Flow, State, Way, ended, join_flows};
use super::supply::Supply;
use super::syntax::{Assignment, Command, Piece, Position, Simple, Word};
use super::{kubectl, programs};
use std::rc::Rc;

/// A command after expansion.
pub(super) struct Call<'a> {
    /// The name and the arguments.
    pub(super) fields: Vec<Field>,
    pub(super) at: Position,
    pub(super) says: &'a str,
    pub(super) supply: &'a Supply,
    /// The words as written, for assignments among them.
    pub(super) words: &'a [Word],
}

impl Call<'_> {
    /// The text of an argument; the name has the number 0.
    pub(super) fn text(&self, number: usize) -> &str {
        self.fields.get(number).map_or("", |field| field.text.as_str())
    }

    pub(super) fn arguments(&self) -> &[Field] {
        self.fields.get(1..).unwrap_or_default()
    }

    /// The same call without its first words, as `sudo` and `env` pass it on.
    pub(super) fn without(&self, count: usize) -> Self {
        let fields = self.fields.get(count..).unwrap_or_default().to_vec();
        Self { fields, at: self.at, says: self.says, supply: self.supply, words: self.words }
    }
}

impl Reader<'_, '_> {
    pub(super) fn simple(
        &mut self,
        command: &Command,
        simple: &Simple,
        state: State,
        supply: &Supply,
    ) -> Flow {
        self.note_secrets(&simple.words);
        if let Some(flow) = self.bracket_gate(simple, &state, command.at) {
            return flow;
        }
        let flow = self.substitutions(simple, state);
        if simple.words.is_empty() {
            return self.assign_all(&simple.assignments, flow);
        }
        let Some(state) = ended(flow) else { return Flow::default() };
        let fields = self.fields(&simple.words, &state);
        let says = format!("{}{}", self.piped_from, super::says::says_command(command));
        let call = Call { fields, at: command.at, says: &says, supply, words: &simple.words };
        self.call(&call, state)
    }

    /// Runs a command by its name.
    pub(super) fn call(&mut self, call: &Call<'_>, mut state: State) -> Flow {
        if call.fields.first().is_none_or(|name| name.unknown.is_some()) {
            let cause = format!("`{}` is not understood; it is taken to deliver nothing", call.text(0));
            self.say_once(call.at, false, cause);
            return Flow::either(state);
        }
        let name = call.text(0).to_owned();
        if let Some(body) = state.functions.get(&name).map(Rc::clone) {
            return self.call_function(call, &body, state);
        }
        if let Some(flow) = self.builtin(call, &mut state) {
            return flow;
        }
        match name.rsplit('/').next().unwrap_or(&name) {
            "kubectl" | "oc" => kubectl::run(self, call, state),
            _ => programs::run(self, call, state),
        }
    }

    fn call_function(&mut self, call: &Call<'_>, body: &Command, mut state: State) -> Flow {
        let arguments =
            call.arguments().iter().map(|f| f.unknown.is_none().then(|| f.text.clone())).collect();
        let before = std::mem::replace(&mut state.arguments, arguments);
        self.calls.push(Flow::default());
        let loops = std::mem::take(&mut self.loops);
        let flow = self.command(body, state, call.supply);
        self.loops = loops;
        let returns = self.calls.pop().unwrap_or_default();
        let mut flow = join_flows(flow, returns);
        for state in [&mut flow.success, &mut flow.failure].into_iter().flatten() {
            state.arguments.clone_from(&before);
        }
        flow
    }

    /// Runs the command substitutions of a simple command; the last one decides the outcome of an assignment.
    fn substitutions(&mut self, simple: &Simple, state: State) -> Flow {
        let in_words = simple.words.iter().flat_map(|word| &word.pieces);
        let in_values = simple.assignments.iter().flat_map(|assignment| &assignment.value.pieces);
        let mut lists = Vec::new();
        for piece in in_words.chain(in_values) {
            collect(piece, &mut lists);
        }
        let mut flow = Flow::success(state);
        for list in lists {
            let Some(state) = ended(flow) else { return Flow::default() };
            let prefix = std::mem::take(&mut self.piped_from);
            // bash switches `set -e` off inside a command substitution unless `inherit_errexit` is set.
            flow = self.in_subshell(state, |reader, mut state| {
                state.stops_on_failure = false;
                reader.list(&list, state)
            });
            self.piped_from = prefix;
        }
        flow
    }

    fn assign_all(&mut self, assignments: &[Assignment], flow: Flow) -> Flow {
        let mut assign = |state: State| {
            let mut state = state;
            for assignment in assignments {
                self.assign(assignment, &mut state);
            }
            state
        };
        Flow { success: flow.success.map(&mut assign), failure: flow.failure.map(&mut assign) }
    }

    pub(super) fn assign(&mut self, assignment: &Assignment, state: &mut State) {
        let field = self.joined(&assignment.value.pieces, state);
        let is_array = matches!(assignment.value.pieces.as_slice(), [Piece::Array(_)]);
        let name = if is_array { format!("{}[@]", assignment.name) } else { assignment.name.clone() };
        let mut value = field.unknown.is_none().then_some(field.text);
        if assignment.appends {
            let separator = if is_array { "\0" } else { "" };
            let before = state.variables.get(&name).cloned().unwrap_or_else(|| Some(String::new()));
            value = before.zip(value).map(|(before, value)| format!("{before}{separator}{value}"));
        }
        match sole_substitution(&assignment.value) {
            Some(list) => state.probes.insert(name.clone(), list),
            None => state.probes.remove(&name),
        };
        let last = state.last.clone().filter(|_| variable_of(&assignment.value) == Some("?"));
        state.set(&name, value);
        if let Some(last) = last {
            let way = |value: &str, facts: &Facts| Way {
                value: Some(value.to_owned()),
                facts: Rc::new(facts.clone()),
            };
            state.ways.insert(name, vec![way("0", &last.succeeded), way("1", &last.failed)]);
        }
    }

    /// `export X=1`, `local X=1`: the assignments among the words; their outcome is lost.
    pub(super) fn declare(&mut self, call: &Call<'_>, state: &mut State) {
        for assignment in call.words.iter().filter_map(as_assignment) {
            self.assign(&assignment, state);
        }
    }

    /// Runs text as a script of its own inside this one: `bash -c` and `eval`.
    pub(super) fn run_text(&mut self, text: &str, at: Position, state: State) -> Flow {
        match parse_at(text, at) {
            Ok(program) => {
                let outer = self.script.clone();
                self.script = Script { documents: program.documents.into(), ..outer.clone() };
                self.depth += 1;
                let flow = self.list(&program.list, state);
                self.depth -= 1;
                self.script = outer;
                flow
            }
            Err(error) => {
                self.problem(error.at, true, format!("this is not a shell script: {}", error.cause));
                Flow::either(state)
            }
        }
    }
}

fn collect(piece: &Piece, lists: &mut Vec<Rc<super::syntax::List>>) {
    match piece {
        Piece::Command(list) | Piece::Process(list) => lists.push(Rc::clone(list)),
        Piece::Double(pieces) => pieces.iter().for_each(|piece| collect(piece, lists)),
        Piece::Array(words) => words.iter().flat_map(|w| &w.pieces).for_each(|piece| collect(piece, lists)),
        Piece::Parameter(parameter) => {
            let pieces = parameter.operator.iter().flat_map(|(_, pieces)| pieces);
            pieces.for_each(|piece| collect(piece, lists));
        }
        Piece::Bare(_) | Piece::Quoted(_) | Piece::Arithmetic => {}
    }
}
