//! What kubectl does in a script: it delivers, removes, waits, or only looks.

mod create;
mod deliver;
mod gates;
mod marks;
mod remove;
mod shape;
mod targets;

use super::checks;
use super::flags::Flags;
use super::programs::opaque;
use super::reader::Reader;
use super::simple::Call;
use super::state::{Flow, State, join};
use plimsoll_model::Action;
use plimsoll_schema::{Scope, kind_of_resource, scope};
use std::time::Duration;

pub(super) use deliver::printed_objects;
pub(super) use gates::{look, plain_pattern, printed, wait_for};

/// Verbs that only look, or change nothing that another object could wait for.
const QUIET: [&str; 19] = [
    "describe",
    "top",
    "version",
    "cluster-info",
    "api-resources",
    "api-versions",
    "explain",
    "auth",
    "diff",
    "events",
    "port-forward",
    "proxy",
    "cp",
    "attach",
    "debug",
    "completion",
    "plugin",
    "options",
    "kustomize",
];

/// Verbs that change an object which must exist.
const CHANGES: [&str; 6] = ["scale", "set", "edit", "taint", "cordon", "uncordon"];

pub(super) fn run(reader: &mut Reader<'_, '_>, call: &Call<'_>, state: State) -> Flow {
    let flags = Flags::of(call.arguments());
    let verb = flags.words.first().map_or("", |field| field.text.as_str());
    let second = flags.words.get(1).map_or("", |field| field.text.as_str());
    match (verb, second) {
        ("apply", "view-last-applied" | "edit-last-applied" | "set-last-applied") => Flow::either(state),
        ("apply" | "create" | "replace", _) => deliver::run(reader, call, &flags, verb, state),
        ("delete", _) => remove::run(reader, call, &flags, state),
        ("wait", _) => gates::wait(reader, call, &flags, state),
        ("rollout", "status") => gates::rollout(reader, call, &flags, state),
        ("rollout", "restart") => restart(reader, call, &flags, state),
        ("get", _) => gates::get(reader, call, &flags, state),
        ("exec" | "logs", _) => gates::running(reader, call, verb, state),
        ("set", _) | ("rollout", "undo" | "pause" | "resume") => {
            gates::must_exist(reader, call, &flags, 2, state)
        }
        ("rollout", _) => Flow::either(state),
        ("config", _) => config(&flags, state),
        ("label" | "annotate" | "patch", _) => marks::run(reader, call, &flags, state),
        (verb, _) if CHANGES.contains(&verb) => gates::must_exist(reader, call, &flags, 1, state),
        ("run", _) => opaque(reader, call, state, "what `kubectl run` makes is not read"),
        ("expose" | "autoscale", _) => {
            let there = gates::must_exist(reader, call, &flags, 1, state);
            then_opaque(reader, call, there, &format!("what `kubectl {verb}` makes is not read"))
        }
        ("cert-manager", "check") => checks::run(reader, call, &state).unwrap_or_else(|| Flow::either(state)),
        (verb, _) if QUIET.contains(&verb) => Flow::either(state),
        (verb, _) => {
            let cause = format!("`kubectl {verb}` is not understood; it is taken to deliver nothing");
            reader.say_once(call.at, false, cause);
            Flow::either(state)
        }
    }
}

/// A restart is a step also where it names nobody: by a selector, or all of a kind.
fn restart(reader: &mut Reader<'_, '_>, call: &Call<'_>, flags: &Flags, state: State) -> Flow {
    let before = reader.steps.len();
    let flow = gates::must_exist(reader, call, flags, 2, state);
    match &flow.success {
        Some(state) if reader.steps.len() == before && !flags.is_dry() => {
            let step = reader.emit(Action::Sleep(Duration::ZERO), call.at, call.says, state);
            Reader::outcomes(step, state.clone())
        }
        _ => flow,
    }
}

/// What follows a command's first look at what it copies from or stands in front of.
fn then_opaque(reader: &mut Reader<'_, '_>, call: &Call<'_>, there: Flow, why: &str) -> Flow {
    let Some(state) = there.success else { return there };
    let made = opaque(reader, call, state, why);
    Flow { success: made.success, failure: join(there.failure, made.failure) }
}

/// `kubectl config set-context --current --namespace=X` changes the namespace of what follows.
fn config(flags: &Flags, mut state: State) -> Flow {
    let is_current = flags.has("current");
    let before = state.clone();
    if is_current
        && flags.words.get(1).is_some_and(|word| word.text == "set-context")
        && let Some(namespace) = flags.value("namespace")
    {
        state.namespace = namespace.unknown.is_none().then(|| namespace.text.clone());
    }
    Flow { success: Some(state), failure: Some(before) }
}

/// The namespace a command works in, if the command or the script says one.
fn namespace_of(flags: &Flags, state: &State) -> Option<String> {
    flags.text("namespace").map(str::to_owned).or_else(|| state.namespace.clone())
}

/// Group, kind and scope of a resource as kubectl takes it; `None` for kinds that Kubernetes does not have itself.
fn kind_of(resource: &str) -> Option<(&'static str, &'static str, bool)> {
    let (group, kind) = kind_of_resource(resource)?;
    Some((group, kind, scope(group, kind) == Some(Scope::Namespaced)))
}
