//! Programs other than kubectl: those that do nothing to a cluster, those that deliver something unknown, and those
//! that run another command.

use super::checks;
use super::duration;
use super::helm;
use super::reader::Reader;
use super::scripts;
use super::simple::Call;
use super::state::{Flow, State, join, weaker};
use plimsoll_model::{Action, Outcome};
use std::time::Duration;

/// Programs that print or prepare something and cannot sensibly fail in the middle of a deployment.
const SILENT: [&str; 14] = [
    "echo", "printf", "date", "tput", "clear", "tee", "pwd", "sleep", "basename", "dirname", "seq", "whoami",
    "hostname", "figlet",
];

/// Programs that leave the cluster alone but can fail.
const HARMLESS: [&str; 51] = [
    "cat", "grep", "egrep", "fgrep", "sed", "awk", "cut", "tr", "head", "tail", "sort", "uniq", "wc", "jq",
    "yq", "which", "command", "mkdir", "rm", "cp", "mv", "ln", "touch", "chmod", "chown", "ls", "find",
    "diff", "git", "docker", "podman", "curl", "wget", "tar", "unzip", "gzip", "base64", "openssl",
    "envsubst", "mktemp", "kill", "ping", "nc", "dig", "aws", "gcloud", "az", "kind", "minikube", "k3d",
    "pkill",
];

/// Programs that deliver objects nobody can see from the script; with the words that do it, or any if there are none.
const OPAQUE: [(&str, &[&str]); 14] = [
    ("helm", &["install", "upgrade", "uninstall", "delete", "rollback"]),
    ("helmfile", &["apply", "sync", "destroy"]),
    ("flux", &["bootstrap", "create", "install", "reconcile", "resume"]),
    ("argocd", &["app", "appset", "cluster", "repo", "proj"]),
    ("terraform", &["apply", "destroy"]),
    ("tofu", &["apply", "destroy"]),
    ("pulumi", &["up", "destroy"]),
    ("istioctl", &["install", "upgrade", "uninstall", "operator"]),
    ("linkerd", &["install", "upgrade"]),
    ("cilium", &["install", "upgrade"]),
    ("cmctl", &["x", "experimental", "upgrade"]),
    ("make", &[]),
    ("skaffold", &["run", "deploy"]),
    ("kapp", &["deploy", "delete"]),
];

pub(super) fn run(reader: &mut Reader<'_, '_>, call: &Call<'_>, state: State) -> Flow {
    let name = call.text(0).rsplit('/').next().unwrap_or_default().to_owned();
    let path_like = call.text(0).contains('/');
    if let Some(checked) = checks::run(reader, call, &state) {
        return checked;
    }
    match name.as_str() {
        "sleep" => {
            let spans = (1..call.fields.len()).filter_map(|index| duration::coreutils(call.text(index)));
            let asleep = Action::Sleep(spans.fold(Duration::ZERO, Duration::saturating_add));
            let step = reader.emit(asleep, call.at, call.says, &state);
            Flow { failure: None, ..Reader::outcomes(step, state) }
        }
        "sudo" | "nohup" | "time" | "builtin" | "nice" | "env" => pass_on(reader, call, state),
        "command" if !call.text(1).starts_with('-') => pass_on(reader, call, state),
        "timeout" => with_deadline(reader, call, state),
        "bash" | "sh" | "dash" | "zsh" => scripts::shell(reader, call, state),
        "source" | "." => scripts::sourced(reader, call, state),
        "xargs" if call.fields.iter().any(|field| field.text == "kubectl") => {
            opaque(reader, call, state, "xargs runs kubectl on a list that is not known")
        }
        _ if SILENT.contains(&name.as_str()) => Flow::success(state),
        _ if HARMLESS.contains(&name.as_str()) || name == "xargs" => Flow::either(state),
        "helm" if helm::is_understood(call) && (delivers(&name, call) || call.text(1) == "repo") => {
            helm::run(reader, call, state)
        }
        _ if delivers(&name, call) => {
            opaque(reader, call, state, &format!("what `{name}` delivers is not read"))
        }
        _ if OPAQUE.iter().any(|(tool, _)| *tool == name) || name == "kustomize" => Flow::either(state),
        _ if path_like => scripts::script_file(reader, call, 0, false, state),
        _ => {
            let file = reader.script.path.clone();
            if reader.said.insert(format!("command {name}")) {
                let cause = format!(
                    "`{name}` at {file}:{} is not understood; it is taken to deliver nothing",
                    call.at.line
                );
                reader.problem(call.at, false, cause);
            }
            Flow::either(state)
        }
    }
}

pub(super) fn opaque(reader: &mut Reader<'_, '_>, call: &Call<'_>, state: State, why: &str) -> Flow {
    let step = reader.emit(Action::Opaque(why.to_owned()), call.at, call.says, &state);
    reader.reading.count_opaque();
    Reader::outcomes(step, state)
}

fn delivers(name: &str, call: &Call<'_>) -> bool {
    let is_dry =
        call.fields.iter().any(|field| field.text.starts_with("--dry-run") && field.text != "--dry-run=none");
    let found = OPAQUE.iter().find(|(tool, _)| *tool == name);
    found.is_some_and(|(_, verbs)| {
        !is_dry && (verbs.is_empty() || call.arguments().iter().any(|f| verbs.contains(&f.text.as_str())))
    })
}

/// `sudo -u x kubectl …`, `env A=b kubectl …`: the command behind the options and assignments.
fn pass_on(reader: &mut Reader<'_, '_>, call: &Call<'_>, state: State) -> Flow {
    let takes_value = |text: &str| matches!(text, "-u" | "-g" | "-n" | "-C");
    let mut count = 1;
    while count < call.fields.len() {
        let text = call.text(count);
        if takes_value(text) && call.text(0) != "env" {
            count += 2;
        } else if text.starts_with('-') || text.contains('=') {
            count += 1;
        } else {
            break;
        }
    }
    if count >= call.fields.len() {
        return Flow::either(state);
    }
    reader.call(&call.without(count), state)
}

/// `timeout 60 command`: fails when the time is up, whatever the command was doing.
fn with_deadline(reader: &mut Reader<'_, '_>, call: &Call<'_>, state: State) -> Flow {
    let mut count = 1;
    while call.text(count).starts_with('-') {
        count += if matches!(call.text(count), "-k" | "-s") { 2 } else { 1 };
    }
    let limit = duration::coreutils(call.text(count));
    let before = reader.deadline;
    reader.deadline = match (before, limit) {
        (Some(outer), Some(inner)) => Some(outer.min(inner)),
        (outer, inner) => outer.or(inner),
    };
    let before_facts = state.facts.clone();
    let flow = reader.in_subshell(state, |reader, state| reader.call(&call.without(count + 1), state));
    reader.deadline = before;
    let cut_off = flow.success.clone().map(|mut state| {
        for (step, fact) in &mut state.facts {
            if !before_facts.contains_key(step) {
                fact.outcome = weaker(fact.outcome, Outcome::Ended);
                fact.is_certain = false;
            }
        }
        state
    });
    let failure = join(flow.failure, cut_off);
    Flow { success: flow.success, failure }
}

/// The shorter of a gate's own limit and that of an enclosing `timeout`.
pub(super) fn limited(own: Option<Duration>, outer: Option<Duration>) -> Option<Duration> {
    match (own, outer) {
        (Some(own), Some(outer)) => Some(own.min(outer)),
        (own, outer) => own.or(outer),
    }
}
