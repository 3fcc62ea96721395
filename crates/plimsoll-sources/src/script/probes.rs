//! Tests and pipes around `kubectl get` that look for a value: `… | grep -q True`, `[ "$(…)" = True ]`.

use super::expand::Field;
use super::kubectl;
use super::reader::Reader;
use super::says::says_command;
use super::simple::Call;
use super::state::{Flow, State};
use super::supply::Supply;
use super::syntax::{Body, Command, List, Piece, Position, Simple, Word};
use plimsoll_model::{Condition, Gate, Target};
use std::rc::Rc;
use std::time::Duration;

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
        asks_last(words, &state).unwrap_or_else(|| Flow::either(state))
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
        let (targets, path) = self.looks_at(command, state).filter(|_| item.rest.is_empty())?;
        let value = value.map(|word| self.joined(&word.pieces, state));
        let (condition, is_denied) = compare(operator, value.as_ref(), path.as_deref(), &targets);
        let says = texts.join(" ");
        let condition = condition.unwrap_or_else(|| Condition::Unknown(says.clone()));
        let flow = self.probe((targets, condition), at, &format!("[ {says} ]"), state.clone());
        Some(if is_denied { flow.swapped() } else { flow })
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
    let piece = match word.pieces.as_slice() {
        [Piece::Double(pieces)] => match pieces.as_slice() {
            [piece] => piece,
            _ => return None,
        },
        [piece] => piece,
        _ => return None,
    };
    match piece {
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

/// `[ … ]` and `test …` that no gate is made of.
pub(super) fn test_command(call: &Call<'_>, state: State) -> Flow {
    let words = call.words.get(1..).unwrap_or_default();
    let words = match words.split_last() {
        Some((last, inside)) if last.text == "]" => inside,
        _ => words,
    };
    asks_last(words, &state).unwrap_or_else(|| Flow::either(state))
}
