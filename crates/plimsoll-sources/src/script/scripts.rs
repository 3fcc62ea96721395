//! Other shells and other scripts: `bash -c`, `bash file`, `./file`, `source file`.

use super::expand::Field;
use super::grammar::parse;
use super::paths;
use super::programs::opaque;
use super::reader::{Reader, Script};
use super::simple::Call;
use super::state::{Flow, State, join_flows};
use super::supply::Supply;

/// How many commands another file counts for.
const COST_OF_A_FILE: u32 = 500;

/// `bash -c 'text'`, `bash script.sh`, and `bash` with a script on its input.
pub(super) fn shell(reader: &mut Reader<'_, '_>, call: &Call<'_>, state: State) -> Flow {
    let mut stops = false;
    let mut count = 1;
    while call.text(count).starts_with('-') {
        let letters = call.text(count);
        stops |= !letters.starts_with("--") && letters.contains('e');
        if letters.ends_with('c') {
            let Some(field) = call.fields.get(count + 1).cloned() else { return Flow::either(state) };
            return new_shell(reader, state, stops, |reader, state| {
                reader.run_text(&field.text, call.at, state)
            });
        }
        count += 1;
    }
    match (call.fields.get(count), call.supply) {
        (Some(_), _) => script_file(reader, call, count, stops, state),
        (None, Supply::Text { text, .. }) => {
            let text = text.clone();
            new_shell(reader, state, stops, |reader, state| reader.run_text(&text, call.at, state))
        }
        (None, _) => opaque(reader, call, state, "the script that the shell reads is not known"),
    }
}

/// A process of its own: the options and the ignored failures of this shell do not reach it.
fn new_shell(
    reader: &mut Reader<'_, '_>,
    state: State,
    stops: bool,
    part: impl FnOnce(&mut Reader<'_, '_>, State) -> Flow,
) -> Flow {
    let ignoring = std::mem::replace(&mut reader.is_ignoring, false);
    let polling = std::mem::replace(&mut reader.is_polling, false);
    let flow = reader.in_subshell(state, |reader, mut state| {
        state.stops_on_failure = stops;
        state.pipe_fails = false;
        state.functions.clear();
        part(reader, state)
    });
    reader.is_ignoring = ignoring;
    reader.is_polling = polling;
    flow
}

pub(super) fn script_file(
    reader: &mut Reader<'_, '_>,
    call: &Call<'_>,
    number: usize,
    stops: bool,
    state: State,
) -> Flow {
    let field = call.fields.get(number).cloned().unwrap_or_default();
    let Some((path, text)) = text_of(reader, &field, &state) else {
        let why = format!("the script `{}` cannot be read", field.text);
        reader.problem(call.at, false, why.clone());
        return opaque(reader, call, state, &why);
    };
    let arguments = call.fields.get(number + 1..).unwrap_or_default();
    let arguments = arguments.iter().map(|f| f.unknown.is_none().then(|| f.text.clone())).collect();
    // `bash script.sh` does not look at the first line.
    let stops = stops || (number == 0 && first_line_stops(&text));
    new_shell(reader, State { arguments, ..state }, stops, |reader, state| {
        run_file(reader, &path, &text, state)
    })
}

pub(super) fn sourced(reader: &mut Reader<'_, '_>, call: &Call<'_>, state: State) -> Flow {
    let field = call.fields.get(1).cloned().unwrap_or_default();
    let Some((path, text)) = text_of(reader, &field, &state) else {
        let cause = format!("the file `{}` cannot be read; what it sets is not known", field.text);
        reader.problem(call.at, false, cause);
        return Flow::either(state);
    };
    reader.calls.push(Flow::default());
    let flow = run_file(reader, &path, &text, state);
    let returns = reader.calls.pop().unwrap_or_default();
    join_flows(flow, returns)
}

/// Path and text of another script, if both can be known.
fn text_of(reader: &Reader<'_, '_>, field: &Field, state: &State) -> Option<(String, String)> {
    let path = paths::resolve(state.folder.as_deref(), &field.text).filter(|_| field.unknown.is_none())?;
    let text = reader.shelf.text(&path).ok()?;
    Some((path, text))
}

fn run_file(reader: &mut Reader<'_, '_>, path: &str, text: &str, state: State) -> Flow {
    // A script that reads itself must not fill the bundle with copies.
    reader.budget = reader.budget.saturating_sub(COST_OF_A_FILE);
    let Some(file) = reader.reading.open(path) else { return Flow::either(state) };
    let outer = reader.script.clone();
    reader.script = Script { path: path.into(), file, documents: [].into() };
    let flow = match parse(text) {
        Ok(program) => {
            reader.script.documents = program.documents.into();
            reader.list(&program.list, state)
        }
        Err(error) => {
            reader.problem(error.at, true, format!("this is not a shell script: {}", error.cause));
            Flow::either(state)
        }
    };
    reader.script = outer;
    flow
}

/// Whether the first line runs the script under `-e`.
pub(super) fn first_line_stops(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    first.strip_prefix("#!").is_some_and(|line| {
        line.split_whitespace().skip(1).any(|word| {
            word.strip_prefix('-').is_some_and(|letters| !letters.starts_with('-') && letters.contains('e'))
        })
    })
}
