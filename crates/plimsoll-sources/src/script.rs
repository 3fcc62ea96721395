//! Deploy scripts: the order of their commands, and what stops them, become steps.
//!
//! `grammar` reads the text into the tree of `syntax`; `flow`, `compound` and `simple` walk it and keep in a `State`
//! what is certain on every path; `kubectl` and `programs` say what each command does. Nothing is ever run.
//!
//! A step's `after` lists what is certain when it begins. Steps that may have been passed over are listed with the first
//! step of their branch (`unless_skipped`), and so are the waits of that branch; any other wait only if it happened on
//! every path. What follows from another entry is left out.

mod builtins;
mod checks;
mod compound;
pub(crate) mod duration;
mod expand;
mod files;
mod flags;
mod flow;
mod grammar;
mod helm;
mod kubectl;
mod kustomize;
pub(crate) mod paths;
mod probes;
mod programs;
mod reader;
mod reduce;
mod says;
mod scripts;
mod simple;
mod state;
mod supply;
mod syntax;

use crate::host::Refusal;
use crate::input::Input;
use crate::reading::{Reading, STANDARD_INPUT};
use files::{LARGEST_SCRIPT, Shelf};
use plimsoll_model::{FileIndex, Place, Step};
use reader::Reader;
use state::State;

/// Reads the script at a path (`-` for standard input) and adds its steps behind those that are there.
pub(crate) fn read(path: &str, namespace: &str, reading: &mut Reading<'_>, steps: &mut Vec<Step>) {
    let Some(file) = open(path, reading) else { return };
    let Some(text) = reading.text(file) else { return };
    // Nested commands are walked by recursion; their depth is bounded, and this stack holds that depth.
    let follow_script = || follow((path, file, &text), namespace, reading, steps);
    let walked = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, follow_script);
        thread.is_ok_and(|thread| thread.join().is_ok())
    });
    if !walked {
        let place = Place { file, line: 0, column: 0 };
        reading.problem(place, "this script could not be followed; please report it".to_owned(), true);
    }
}

/// Room for the deepest nesting that is followed.
const STACK_BYTES: usize = 64 * 1024 * 1024;

fn follow(
    script: (&str, FileIndex, &str),
    namespace: &str,
    reading: &mut Reading<'_>,
    steps: &mut Vec<Step>,
) {
    let (path, file, text) = script;
    let mut reader = Reader::new(path, file, namespace, reading, steps);
    match grammar::parse(text) {
        Ok(program) => {
            reader.script.documents = program.documents.into();
            let state = State {
                folder: Some(String::new()),
                stops_on_failure: scripts::first_line_stops(text),
                // What the caller says is what the kubectl context of the script would say.
                namespace: (namespace != Input::default().namespace).then(|| namespace.to_owned()),
                ..State::default()
            };
            reader.walk(&program.list, state);
        }
        Err(error) => reader.problem(error.at, true, format!("this is not a shell script: {}", error.cause)),
    }
    reader.finish();
}

fn open(path: &str, reading: &mut Reading<'_>) -> Option<FileIndex> {
    if path != STANDARD_INPUT {
        let shelf = Shelf { host: reading.host() };
        if shelf.host.read(path, LARGEST_SCRIPT) == Err(Refusal::TooLarge) {
            let place = reading.place_of(path);
            let cause = "this script is larger than 1 MiB; split it into several scripts".to_owned();
            reading.problem(place, cause, true);
            return None;
        }
    }
    let file = reading.open(path)?;
    let size = reading.text(file).map_or(0, |text| text.len() as u64);
    if size > LARGEST_SCRIPT {
        let place = Place { file, line: 1, column: 1 };
        reading.problem(
            place,
            "this script is larger than 1 MiB; split it into several scripts".to_owned(),
            true,
        );
        return None;
    }
    Some(file)
}

#[cfg(test)]
mod tests;
