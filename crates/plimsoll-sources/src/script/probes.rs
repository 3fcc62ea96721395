//! Tests and pipes around `kubectl get` that look for a value: `… | grep -q True`, `[ "$(…)" = True ]`.

use super::expand::Field;
use super::kubectl;
use super::reader::Reader;
use super::says::says_command;
use super::simple::Call;
use super::state::{Flow, State, Way};
use super::supply::Supply;
use super::syntax::{Body, Command, List, Piece, Position, Simple, Word};
use plimsoll_model::{Condition, Gate, Target};
use std::rc::Rc;
use std::time::Duration;

/// What `kubectl wait` prints for each object that it has seen as it should be, and nowhere else
/// (`k8s.io/kubectl` v0.36.4 `pkg/cmd/wait/wait.go` `NewWaitFlags`): whoever looks for it asks whether the wait has succeeded.
const MET: &str = "condition met";

impl Reader<'_, '_> {
    /// `kubectl get … | grep …` as one gate.
    pub(super) fn piped_gate(&mut self, commands: &[Command], state: &State) -> Option<Flow> {
        let [first, second] = commands else { return None };
        let (targets, path) = self.looks_at(first, state)?;
        let (Body::Simple(simple), true) = (&second.body, second.redirects.iter().all(is_output)) else {
            return None;
        };
        let fields = self.fields(&simple.words, state);
        let (name, arguments) = fields.split_first()?;
        if !matches!(name.text.as_str(), "grep" | "egrep" | "fgrep") {
            return None;
        }
        let says = format!("{} | {}", says_command(first), says_command(second));
        let condition =
            found_by_grep(arguments, &targets, path.as_deref()).unwrap_or(Condition::Unknown(says.clone()));
        Some(self.probe((targets, condition), first.at, &says, state.clone()))
    }

    /// `[ "$(kubectl get …)" = value ]` as a gate.
    pub(super) fn bracket_gate(&mut self, simple: &Simple, state: &State, at: Position) -> Option<Flow> {
        let (first, rest) = simple.words.split_first()?;
        match (first.text.as_str(), rest.split_last()) {
            ("[", Some((_, inside))) => self.compared(inside, state, at),
            ("test", _) => self.compared(rest, state, at),
            _ => None,
        }
    }

    /// `[[ … ]]`.
    pub(super) fn test(&mut self, words: &[Word], state: State, at: Position) -> Flow {
        if let Some(flow) = self.compared(words, &state, at) {
            return flow;
        }
        self.asked(words, &state).unwrap_or_else(|| Flow::either(state))
    }

    /// A test that tells apart the paths that lead to it: by `$?`, or by what they left in a variable.
    pub(super) fn asked(&self, words: &[Word], state: &State) -> Option<Flow> {
        if let [first, rest @ ..] = words
            && first.text == "!"
        {
            return self.asked(rest, state).map(Flow::swapped);
        }
        asks_last(words, state).or_else(|| self.asks_variable(words, state))
    }

    fn asks_variable(&self, words: &[Word], state: &State) -> Option<Flow> {
        let (variable, operator, right) = match words {
            [left, operator, right] => (left, operator.text.as_str(), self.joined(&right.pieces, state)),
            [operator, left] => (left, operator.text.as_str(), Field::default()),
            _ => return None,
        };
        let name = variable_of(variable).filter(|name| state.ways.contains_key(*name))?;
        if right.unknown.is_some() {
            return None;
        }
        let holds = |way: &Way| evaluate(operator, way.value.as_deref(), &right.text);
        Some(Flow {
            success: state.where_value(name, |way| holds(way) != Some(false)),
            failure: state.where_value(name, |way| holds(way) != Some(true)),
        })
    }

    fn compared(&mut self, words: &[Word], state: &State, at: Position) -> Option<Flow> {
        let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        if let (["!", ..], Some(rest)) = (texts.as_slice(), words.get(1..)) {
            return self.compared(rest, state, at).map(Flow::swapped);
        }
        let (probe, operator, value) = match words {
            [left, operator, right] => (left, operator.text.as_str(), Some(right)),
            [operator, probe] => (probe, operator.text.as_str(), None),
            _ => return None,
        };
        let list = substituted(probe, state)?;
        let [item] = list.0.as_slice() else { return None };
        let [command] = item.first.commands.as_slice() else { return None };
        let value = value.map(|word| self.joined(&word.pieces, state));
        if value.as_ref().is_some_and(|value| value.text.contains(MET)) && self.is_wait(command, state) {
            let flow = self.command(command, state.clone(), &Supply::Nothing);
            return Some(if operator == "!=" { flow.swapped() } else { flow });
        }
        let (targets, path) = self.looks_at(command, state).filter(|_| item.rest.is_empty())?;
        let (condition, is_denied) = compare(operator, value.as_ref(), path.as_deref(), &targets);
        let says = texts.join(" ");
        let condition = condition.unwrap_or_else(|| Condition::Unknown(says.clone()));
        let flow = self.probe((targets, condition), at, &format!("[ {says} ]"), state.clone());
        Some(if is_denied { flow.swapped() } else { flow })
    }

    fn is_wait(&self, command: &Command, state: &State) -> bool {
        let Body::Simple(simple) = &command.body else { return false };
        let fields = self.fields(&simple.words, state);
        let mut texts = fields.iter().map(|field| field.text.as_str());
        matches!(texts.next(), Some("kubectl" | "oc"))
            && texts.find(|text| !text.starts_with('-')) == Some("wait")
    }

    fn looks_at(&mut self, command: &Command, state: &State) -> Option<(Vec<Target>, Option<String>)> {
        let Body::Simple(simple) = &command.body else { return None };
        let fields = self.fields(&simple.words, state);
        let (name, arguments) = fields.split_first()?;
        if name.text != "kubectl" && name.text != "oc" {
            return None;
        }
        kubectl::look(arguments, state)
    }

    fn probe(&mut self, looked_at: (Vec<Target>, Condition), at: Position, says: &str, state: State) -> Flow {
        let (targets, condition) = looked_at;
        let call = Call { fields: Vec::new(), at, says, supply: &Supply::Nothing, words: &[] };
        let gate = Gate { targets, condition, timeout: Some(Duration::ZERO), needs_existing: true };
        kubectl::wait_for(self, &call, gate, state)
    }
}

fn is_output(redirect: &super::syntax::Redirect) -> bool {
    redirect.kind == super::syntax::RedirectKind::Output
}

/// The command substitution that a word is, or that a variable was set from.
fn substituted(word: &Word, state: &State) -> Option<Rc<List>> {
    match only_piece(word)? {
        Piece::Command(list) => Some(Rc::clone(list)),
        Piece::Parameter(parameter) if parameter.operator.is_none() => {
            state.probes.get(&parameter.name).map(Rc::clone)
        }
        _ => None,
    }
}

/// The command substitution that is the whole value of an assignment.
pub(super) fn sole_substitution(word: &Word) -> Option<Rc<List>> {
    substituted(word, &State::default())
}

fn found_by_grep(arguments: &[Field], targets: &[Target], path: Option<&str>) -> Option<Condition> {
    let mut patterns = arguments.iter().filter(|field| !field.text.starts_with('-'));
    let is_turned = arguments.iter().any(|f| f.text.starts_with('-') && f.text.contains(['v', 'c', 'L']));
    let pattern = patterns.next().filter(|field| field.unknown.is_none() && !is_turned)?;
    if patterns.next().is_some() {
        return None;
    }
    let is_named = targets.iter().all(|target| matches!(target, Target::Named { .. }));
    match path {
        Some(path) if is_named => Some(kubectl::printed(path, Some(kubectl::plain_pattern(&pattern.text)?))),
        // Something was printed about it, so it exists; what the table says is not a promise.
        None if is_named && targets.len() == 1 => Some(Condition::Exists),
        _ => None,
    }
}

/// The condition that a comparison asks for, and whether it asks for the opposite.
fn compare(
    operator: &str,
    value: Option<&Field>,
    path: Option<&str>,
    targets: &[Target],
) -> (Option<Condition>, bool) {
    let is_named = targets.iter().all(|target| matches!(target, Target::Named { .. }));
    let Some(path) = path.filter(|_| is_named) else {
        // Without a path, a value can only be compared with nothing: whether the object exists.
        let exists = is_named.then_some(Condition::Exists);
        return match operator {
            "-n" => (exists, false),
            "-z" => (exists, true),
            _ => (None, matches!(operator, "!=" | "-ne")),
        };
    };
    let known = value.filter(|field| field.unknown.is_none()).map(|field| field.text.as_str());
    let any = || Some(kubectl::printed(path, None));
    match (operator, known) {
        ("-z", _) | ("=" | "==", Some("")) => (any(), true),
        // More than nothing means that there is a value.
        ("-n", _) | ("!=", Some("")) | ("-ge" | "-gt", Some(_)) => (any(), false),
        ("=" | "==" | "-eq", Some(value)) => (Some(kubectl::printed(path, Some(value))), false),
        ("!=" | "-ne", Some(value)) => (Some(kubectl::printed(path, Some(value))), true),
        (operator, _) => (None, matches!(operator, "!=" | "-ne" | "-lt" | "-le")),
    }
}

/// `[ $? -ne 0 ]`: the two ways the last command ended part here.
fn asks_last(words: &[Word], state: &State) -> Option<Flow> {
    let [left, operator, right] = words else { return None };
    if !matches!(left.text.as_str(), "$?" | "\"$?\"") || right.text.trim_matches('"') != "0" {
        return None;
    }
    let last = state.last.as_ref()?;
    let with =
        |facts: &super::state::Facts| Some(State { facts: facts.clone(), last: None, ..state.clone() });
    let flow = Flow { success: with(&last.succeeded), failure: with(&last.failed) };
    match operator.text.as_str() {
        "-eq" | "=" | "==" => Some(flow),
        "-ne" | "!=" | "-gt" => Some(flow.swapped()),
        _ => None,
    }
}

/// The one piece that a word consists of, quoted or not.
fn only_piece(word: &Word) -> Option<&Piece> {
    match word.pieces.as_slice() {
        [Piece::Double(pieces)] => match pieces.as_slice() {
            [piece] => Some(piece),
            _ => None,
        },
        [piece] => Some(piece),
        _ => None,
    }
}

/// The variable whose value a word is.
pub(super) fn variable_of(word: &Word) -> Option<&str> {
    match only_piece(word)? {
        Piece::Parameter(parameter) if parameter.operator.is_none() => Some(&parameter.name),
        _ => None,
    }
}

/// Whether a comparison holds, as far as the value is known.
fn evaluate(operator: &str, value: Option<&str>, right: &str) -> Option<bool> {
    let value = value?;
    let numbers = || Some((value.parse::<i64>().ok()?, right.parse::<i64>().ok()?));
    match operator {
        "=" | "==" => Some(value == right),
        "!=" => Some(value != right),
        "-z" => Some(value.is_empty()),
        "-n" => Some(!value.is_empty()),
        "-eq" => numbers().map(|(a, b)| a == b),
        "-ne" => numbers().map(|(a, b)| a != b),
        "-lt" => numbers().map(|(a, b)| a < b),
        "-le" => numbers().map(|(a, b)| a <= b),
        "-gt" => numbers().map(|(a, b)| a > b),
        "-ge" => numbers().map(|(a, b)| a >= b),
        _ => None,
    }
}

/// The variable that a loop counts in and its value when the loop is over: `while [ $n -lt 30 ]` ends with 30.
pub(super) fn counted(words: &[Word], is_until: bool) -> Option<(&str, String)> {
    let words = match words {
        [open, inside @ .., close] if open.text == "[" && close.text == "]" => inside,
        words => words,
    };
    let [left, operator, right] = words else { return None };
    let limit: i64 = right.text.trim_matches('"').parse().ok()?;
    let last = match (operator.text.as_str(), is_until) {
        ("-lt" | "-ne", false) | ("-ge" | "-eq", true) => limit,
        ("-le", false) | ("-gt", true) => limit.checked_add(1)?,
        _ => return None,
    };
    Some((variable_of(left)?, last.to_string()))
}

/// `[ … ]` and `test …` that no gate is made of.
pub(super) fn test_command(reader: &Reader<'_, '_>, call: &Call<'_>, state: State) -> Flow {
    let words = call.words.get(1..).unwrap_or_default();
    let words = match words.split_last() {
        Some((last, inside)) if last.text == "]" => inside,
        _ => words,
    };
    reader.asked(words, &state).unwrap_or_else(|| Flow::either(state))
}
