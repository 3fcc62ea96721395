//! Commands of the shell itself: options, folders, variables, ways out, and `wait`.

use super::expand::Field;
use super::paths;
use super::probes::test_command;
use super::reader::Reader;
use super::simple::Call;
use super::state::{Flow, State, join, join_facts, join_flows};

impl Reader<'_, '_> {
    /// Runs a builtin, if the call is one.
    pub(super) fn builtin(&mut self, call: &Call<'_>, state: &mut State) -> Option<Flow> {
        let here = || state.clone();
        Some(match call.text(0) {
            ":" | "true" | "trap" | "shopt" | "umask" | "ulimit" | "alias" | "hash" | "type" => {
                Flow::success(here())
            }
            "false" => Flow::failure(here()),
            "set" => {
                set_options(call.arguments(), state);
                Flow::success(state.clone())
            }
            "cd" => change_folder(call.arguments(), state),
            "pushd" => {
                state.folders.push(state.folder.clone());
                change_folder(call.arguments(), state)
            }
            "popd" => {
                state.folder = state.folders.pop().unwrap_or_default();
                Flow::success(state.clone())
            }
            "export" | "local" | "declare" | "readonly" | "typeset" => {
                self.declare(call, state);
                Flow::success(state.clone())
            }
            "unset" | "read" | "mapfile" | "readarray" | "getopts" => {
                for field in call.arguments() {
                    state.set(&field.text, None);
                }
                Flow::either(state.clone())
            }
            "shift" => {
                state.arguments = state.arguments.get(1..).unwrap_or_default().to_vec();
                Flow::success(state.clone())
            }
            "exit" => {
                let flow = with_status(call, here());
                self.leave_shell(flow);
                Flow::default()
            }
            "return" => self.leave_function(with_status(call, here())),
            "break" => self.leave_loop(here(), true),
            "continue" => self.leave_loop(here(), false),
            "wait" => wait_for_jobs(call.arguments(), here()),
            "eval" => {
                let text: Vec<&str> = call.arguments().iter().map(|field| field.text.as_str()).collect();
                self.run_text(&text.join(" "), call.at, here())
            }
            "exec" => self.replace_shell(call, here()),
            "[" | "test" => test_command(self, call, here()),
            _ => return None,
        })
    }

    fn leave_function(&mut self, flow: Flow) -> Flow {
        match self.calls.pop() {
            Some(so_far) => {
                let joined = join_flows(so_far, flow);
                self.calls.push(joined);
            }
            None => self.leave_shell(flow),
        }
        Flow::default()
    }

    fn leave_loop(&mut self, state: State, breaks: bool) -> Flow {
        let Some((break_way, continue_way)) = self.loops.pop() else { return Flow::success(state) };
        let ways = if breaks {
            (join(break_way, Some(state)), continue_way)
        } else {
            (break_way, join(continue_way, Some(state)))
        };
        self.loops.push(ways);
        Flow::default()
    }

    /// `exec command` ends the shell as the command does; `exec` alone only redirects.
    fn replace_shell(&mut self, call: &Call<'_>, state: State) -> Flow {
        if call.fields.len() < 2 {
            return Flow::success(state);
        }
        let flow = self.call(&call.without(1), state);
        self.leave_shell(flow);
        Flow::default()
    }
}

/// `wait` without arguments ends with success whatever the jobs did; with a job it ends as that job did.
fn wait_for_jobs(arguments: &[Field], mut state: State) -> Flow {
    let jobs = std::mem::take(&mut state.jobs);
    let Some(last) = arguments.last() else {
        for job in jobs {
            let facts = match (job.succeeded, job.failed) {
                (Some(a), Some(b)) => join_facts(&a, &b),
                (one, other) => one.or(other).unwrap_or_default(),
            };
            state.learn(&facts);
        }
        return Flow::success(state);
    };
    let number = |field: &Field| match field.text.strip_prefix('%') {
        Some(position) => {
            position.parse::<usize>().ok().and_then(|p| jobs.get(p.checked_sub(1)?)).map(|j| j.number)
        }
        None => field.text.parse().ok(),
    };
    state.jobs.clone_from(&jobs);
    for field in arguments {
        let Some(job) = number(field).and_then(|n| jobs.iter().find(|job| job.number == n)) else {
            continue;
        };
        if !std::ptr::eq(field, last) {
            let facts = match (&job.succeeded, &job.failed) {
                (Some(a), Some(b)) => join_facts(a, b),
                (one, other) => one.clone().or_else(|| other.clone()).unwrap_or_default(),
            };
            state.learn(&facts);
        }
    }
    let Some(job) = number(last).and_then(|n| jobs.iter().find(|job| job.number == n)) else {
        return Flow::either(state);
    };
    let learned = |facts: &Option<_>| {
        facts.as_ref().map(|facts| {
            let mut state = state.clone();
            state.learn(facts);
            state
        })
    };
    Flow { success: learned(&job.succeeded), failure: learned(&job.failed) }
}

fn with_status(call: &Call<'_>, mut state: State) -> Flow {
    match call.fields.get(1).map(|field| (field.text.as_str(), &field.unknown)) {
        Some(("0", None)) => Flow::success(state),
        Some((_, None)) => Flow::failure(state),
        _ => match state.last.take() {
            Some(last) => Flow {
                success: Some(State { facts: last.succeeded.clone(), ..state.clone() }),
                failure: Some(State { facts: last.failed.clone(), ..state }),
            },
            None => Flow::either(state),
        },
    }
}

fn change_folder(arguments: &[Field], state: &mut State) -> Flow {
    let target = arguments.iter().find(|field| !field.text.starts_with('-') || field.text == "-");
    let before = state.clone();
    state.folder = match target {
        Some(Field { text, unknown: None }) if text == "-" => {
            state.variables.get("OLDPWD").cloned().flatten()
        }
        Some(Field { text, unknown: None }) => paths::resolve(state.folder.as_deref(), text),
        _ => None,
    };
    state.set("OLDPWD", before.folder.clone());
    // A folder that the script names is taken to be there; files that are missing in it are said.
    Flow { success: Some(state.clone()), failure: state.folder.is_none().then_some(before) }
}

/// `set -e`, `set -euo pipefail`, `set +e`.
pub(super) fn set_options(arguments: &[Field], state: &mut State) {
    let mut arguments = arguments.iter().map(|field| field.text.as_str()).peekable();
    while let Some(argument) = arguments.next() {
        let (turns_on, letters) = match (argument.strip_prefix('-'), argument.strip_prefix('+')) {
            (Some("-"), _) => return,
            (Some(letters), _) => (true, letters),
            (_, Some(letters)) => (false, letters),
            _ => return,
        };
        for letter in letters.chars() {
            match letter {
                'e' => state.stops_on_failure = turns_on,
                'o' => match arguments.next() {
                    Some("errexit") => state.stops_on_failure = turns_on,
                    Some("pipefail") => state.pipe_fails = turns_on,
                    _ => {}
                },
                _ => {}
            }
        }
    }
}
