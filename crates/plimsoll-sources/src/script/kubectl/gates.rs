//! `kubectl wait`, `rollout status` and `get`: what each looks at, for what, and for how long.
//!
//! Read from kubectl v0.36.4 `pkg/cmd/wait/wait.go`: 30 s by default, zero looks once, a negative time is a week;
//! without a match it fails at once unless it waits for deletion, and `--for=create` waits for existence first.
//! `pkg/cmd/rollout/rollout_status.go`: no limit by default.

use super::super::duration;
use super::super::expand::Field;
use super::super::flags::Flags;
use super::super::programs::limited;
use super::super::reader::Reader;
use super::super::simple::Call;
use super::super::state::{Flow, State, join};
use super::deliver::{built, file_names};
use super::namespace_of;
use super::targets::targets;
use plimsoll_model::{Action, Condition, Gate, Target};
use std::time::Duration;

const WEEK: Duration = Duration::from_hours(168);

pub(super) fn wait(reader: &mut Reader<'_, '_>, call: &Call<'_>, flags: &Flags, state: State) -> Flow {
    let timeout = match flags.text("timeout").map(duration::go) {
        None => Duration::from_secs(30),
        Some(Some((_, true))) => WEEK,
        Some(Some((timeout, false))) => timeout,
        Some(None) => Duration::ZERO,
    };
    let mut conditions: Vec<Condition> = flags.values("for").map(condition_of).collect();
    if conditions.is_empty() {
        conditions.push(Condition::Unknown("kubectl wait without --for".to_owned()));
    }
    // Existence is always waited for first.
    conditions.sort_by_key(|condition| *condition != Condition::Exists);
    let needs_existing = !conditions.iter().any(|c| matches!(c, Condition::Exists | Condition::Gone));
    let looked_at = looked_at(reader, call, flags, 1, &state);
    let mut flow = Flow::success(state);
    let mut failed = None;
    for condition in conditions {
        let Some(state) = flow.success.take() else { break };
        let (targets, condition) = known_or(looked_at.clone(), condition);
        let gate = Gate { targets, condition, timeout: Some(timeout), needs_existing };
        flow = wait_for(reader, call, gate, state);
        failed = join(failed, flow.failure.take());
    }
    Flow { success: flow.success, failure: failed }
}

pub(super) fn rollout(reader: &mut Reader<'_, '_>, call: &Call<'_>, flags: &Flags, state: State) -> Flow {
    let timeout = flags.text("timeout").and_then(duration::go).map(|(timeout, _)| timeout);
    let timeout = timeout.filter(|timeout| !timeout.is_zero());
    if flags.denies("watch") {
        return must_exist(reader, call, flags, 2, state);
    }
    let (targets, condition) = known_or(looked_at(reader, call, flags, 2, &state), Condition::RolledOut);
    let gate = Gate { targets, condition, timeout, needs_existing: true };
    wait_for(reader, call, gate, state)
}

/// `kubectl get` of a named object fails where it does not exist; without a name it only prints.
pub(super) fn get(reader: &mut Reader<'_, '_>, call: &Call<'_>, flags: &Flags, state: State) -> Flow {
    must_exist(reader, call, flags, 1, state)
}

/// `kubectl exec` and `kubectl logs` of something named fail at once where none of its containers runs. With a selector
/// `logs` ends with success where nothing matches.
pub(super) fn running(reader: &mut Reader<'_, '_>, call: &Call<'_>, verb: &str, state: State) -> Flow {
    // Here alone `-f` and `-p` take no value: they follow, and look at the container before.
    let is_short = |field: &&Field| verb == "logs" && ["-f", "-p"].contains(&field.text.as_str());
    let arguments: Vec<Field> = call.arguments().iter().filter(|field| !is_short(field)).cloned().collect();
    let flags = Flags::of(&arguments);
    let named = flags.words.get(1).filter(|word| word.unknown.is_none());
    let Some(word) = named.filter(|_| !flags.has("previous")) else { return Flow::either(state) };
    // Without a type it is a pod.
    let (resource, name) = word.text.split_once('/').unwrap_or(("pod", &word.text));
    let (resource, name) = (resource.to_owned(), name.to_owned());
    let targets = vec![Target::Named { resource, name, namespace: namespace_of(&flags, &state) }];
    let timeout = Some(Duration::ZERO);
    let gate = Gate { targets, condition: Condition::Running, timeout, needs_existing: true };
    wait_for(reader, call, gate, state)
}

/// A command that fails at once where its objects do not exist.
pub(super) fn must_exist(
    reader: &mut Reader<'_, '_>,
    call: &Call<'_>,
    flags: &Flags,
    from: usize,
    state: State,
) -> Flow {
    let Some(targets) = looked_at(reader, call, flags, from, &state) else { return Flow::either(state) };
    let is_named = targets.iter().all(|target| !matches!(target, Target::Selected { .. }));
    if !is_named || targets.is_empty() || flags.has("ignore-not-found") || flags.is_dry() {
        return Flow::either(state);
    }
    let gate =
        Gate { targets, condition: Condition::Exists, timeout: Some(Duration::ZERO), needs_existing: true };
    wait_for(reader, call, gate, state)
}

/// `kubectl create job x --from=cronjob/y` reads what it copies.
pub(super) fn copied_from(reader: &mut Reader<'_, '_>, call: &Call<'_>, flags: &Flags, state: State) -> Flow {
    let Some(targets) =
        flags.value("from").and_then(|from| targets(std::slice::from_ref(from), flags, &state))
    else {
        return Flow::success(state);
    };
    let gate =
        Gate { targets, condition: Condition::Exists, timeout: Some(Duration::ZERO), needs_existing: true };
    wait_for(reader, call, gate, state)
}

/// Adds the step of a gate; inside a polling loop it is looked at until it opens.
pub(in super::super) fn wait_for(
    reader: &mut Reader<'_, '_>,
    call: &Call<'_>,
    gate: Gate,
    state: State,
) -> Flow {
    let gate = if reader.is_polling {
        Gate { timeout: reader.deadline, needs_existing: false, ..gate }
    } else {
        Gate { timeout: limited(gate.timeout, reader.deadline), ..gate }
    };
    let step = reader.emit(Action::Wait(gate), call.at, call.says, &state);
    Reader::outcomes(step, state)
}

/// What `kubectl get` in a pipe or a test looks at, and the path it prints.
pub(in super::super) fn look(arguments: &[Field], state: &State) -> Option<(Vec<Target>, Option<String>)> {
    let flags = Flags::of(arguments);
    if flags.words.first().is_none_or(|verb| verb.text != "get") {
        return None;
    }
    let targets = targets(flags.words.get(1..)?, &flags, state)?;
    let output = flags.value("output").filter(|field| field.unknown.is_none());
    let path = output.and_then(|field| field.text.strip_prefix("jsonpath=")).map(str::to_owned);
    Some((targets, path))
}

fn looked_at(
    reader: &mut Reader<'_, '_>,
    call: &Call<'_>,
    flags: &Flags,
    from: usize,
    state: &State,
) -> Option<Vec<Target>> {
    let files = file_names(flags);
    if !files.is_empty() || flags.value("kustomize").is_some() {
        let before = *reader.reading.coverage_mut();
        let found = built(reader, call, flags, &files, state).ok();
        *reader.reading.coverage_mut() = before;
        return found
            .map(|found| vec![Target::Files(found.objects.into_iter().map(|object| object.id).collect())]);
    }
    targets(flags.words.get(from..)?, flags, state)
}

fn known_or(targets: Option<Vec<Target>>, condition: Condition) -> (Vec<Target>, Condition) {
    match targets {
        Some(targets) if !targets.is_empty() => (targets, condition),
        _ => (Vec::new(), Condition::Unknown("what it looks at is not known".to_owned())),
    }
}

/// The value of `--for`.
pub(in super::super) fn condition_of(field: &Field) -> Condition {
    let text = field.text.as_str();
    if field.unknown.is_some() {
        return Condition::Unknown(text.to_owned());
    }
    if text.eq_ignore_ascii_case("delete") {
        return Condition::Gone;
    }
    if text.eq_ignore_ascii_case("create") {
        return Condition::Exists;
    }
    if let Some(condition) = text.strip_prefix("condition=") {
        let (condition, value) = condition.split_once('=').unwrap_or((condition, "True"));
        return Condition::Status { condition: condition.to_owned(), value: value.to_owned() };
    }
    match text.strip_prefix("jsonpath=") {
        Some(path) => {
            let (path, value) = split_path(path);
            printed(path, value.map(|value| value.trim_matches(['\'', '"'])))
        }
        None => Condition::Unknown(text.to_owned()),
    }
}

/// kubectl splits at a single `=`, never at `==`.
fn split_path(text: &str) -> (&str, Option<&str>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        if *byte == b'=' {
            if bytes.get(at + 1) != Some(&b'=') {
                return (text.get(..at).unwrap_or(text), text.get(at + 1..));
            }
            at += 1;
        }
        at += 1;
    }
    (text, None)
}

/// The condition that a JSON path prints a value, or any value.
pub(in super::super) fn printed(path: &str, value: Option<&str>) -> Condition {
    let path = path.trim().trim_matches(['\'', '"']);
    let path = path.strip_prefix('{').and_then(|path| path.strip_suffix('}')).unwrap_or(path).trim();
    if let Some(value) = value
        && let Some(condition) = status_condition(path)
    {
        return Condition::Status { condition, value: value.to_owned() };
    }
    let path = if path.starts_with(['.', '[', '$']) { path.to_owned() } else { format!(".{path}") };
    Condition::Field { path, value: value.map(str::to_owned) }
}

/// `X` of `.status.conditions[?(@.type=="X")].status`.
fn status_condition(path: &str) -> Option<String> {
    let path = path.strip_prefix('$').unwrap_or(path);
    let path = path.strip_prefix('.').unwrap_or(path);
    let inside = path.strip_prefix("status.conditions[?(@.type")?.strip_suffix(")].status")?;
    let name = inside.trim_start().strip_prefix("==").or_else(|| inside.trim_start().strip_prefix('='))?;
    let name = name.trim().trim_matches(['"', '\'', '\\']);
    (!name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "./-_".contains(c)))
        .then(|| name.to_owned())
}

/// A text that `grep` looks for, if it is no pattern.
pub(in super::super) fn plain_pattern(text: &str) -> Option<&str> {
    let text = text.strip_prefix('^').unwrap_or(text);
    let text = text.strip_suffix('$').unwrap_or(text);
    let is_plain = !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "-_/:, ".contains(c));
    is_plain.then_some(text)
}
