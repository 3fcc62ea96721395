//! Scripts in, steps out: each test reads as a script and the lines it must give.

mod commands;
mod control;
mod gates;
mod grammar;
mod helm;
mod mutation;
mod second_opinion;
mod secrets;

use crate::{Input, Memory, read};
use plimsoll_model::{Action, Bundle, Condition, Gate, Outcome, Step, Target};

/// Manifests that the test scripts name.
fn files() -> Vec<(String, String)> {
    let object =
        |kind: &str, name: &str| format!("apiVersion: v1\nkind: {kind}\nmetadata:\n  name: {name}\n");
    let mut files: Vec<(String, String)> = ["a", "b", "c", "d", "e"]
        .into_iter()
        .map(|name| (format!("{name}.yaml"), object("ConfigMap", name)))
        .collect();
    files.push(("k8s/1.yaml".to_owned(), object("Namespace", "one")));
    files.push(("k8s/2.yaml".to_owned(), object("ConfigMap", "two")));
    files.push(("k8s/sub/3.yaml".to_owned(), object("ConfigMap", "three")));
    files.push(("k8s/note.txt".to_owned(), "nothing".to_owned()));
    files
}

fn bundle_of(script: &str) -> Bundle {
    bundle_at("deploy.sh", script, &[])
}

fn bundle_at(path: &str, script: &str, more: &[(&str, &str)]) -> Bundle {
    let mut all = files();
    all.push((path.to_owned(), script.to_owned()));
    all.extend(more.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())));
    let host = Memory::new(all);
    read(&Input { scripts: vec![path.to_owned()], ..Input::default() }, &host)
}

/// The script gives exactly these lines: its steps, then its problems.
fn check(script: &str, expected: &[&str]) {
    assert_eq!(shown(&bundle_of(script)), expected, "\n{script}");
}

fn shown(bundle: &Bundle) -> Vec<String> {
    let steps = bundle.steps.iter().enumerate().map(|(number, step)| show(number, step));
    let problems = bundle.problems.iter().map(|problem| {
        let word = if problem.is_fatal { "fatal" } else { "note" };
        format!("{word} {}:{}: {}", problem.place.line, problem.place.column, problem.cause)
    });
    steps.chain(problems).collect()
}

fn show(number: usize, step: &Step) -> String {
    let mut line = format!("{} {}", number + 1, show_action(&step.action));
    let edges: Vec<String> = step
        .after
        .iter()
        .map(|edge| {
            let sign = match edge.outcome {
                Outcome::Succeeded => "+",
                Outcome::Ended => "",
                Outcome::Begun => "-",
            };
            let beside = edge.unless_skipped.filter(|step| *step != edge.step);
            let with = beside.map(|step| format!("/{}", step.0 + 1)).unwrap_or_default();
            format!("{}{sign}{with}", edge.step.0 + 1)
        })
        .collect();
    if !edges.is_empty() {
        line = format!("{line} after {}", edges.join(" "));
    }
    if step.may_be_skipped { format!("{line} maybe") } else { line }
}

fn show_action(action: &Action) -> String {
    match action {
        Action::Deliver(unit) => {
            let objects: Vec<String> = unit.objects.iter().map(|object| object.id.to_string()).collect();
            let words: Vec<&str> = std::iter::once(unit.delivery.verb.as_str())
                .chain(unit.delivery.flags.iter().map(String::as_str))
                .collect();
            format!("{} [{}]", words.join(" "), objects.join(" "))
        }
        Action::Remove(removal) => {
            let objects: Vec<String> = removal.objects.iter().map(ToString::to_string).collect();
            format!("delete{} [{}]", if removal.waits { "" } else { " --wait=false" }, objects.join(" "))
        }
        Action::Wait(gate) => show_gate(gate),
        Action::Sleep(_) => "sleep".to_owned(),
        Action::Opaque(why) => format!("opaque: {why}"),
    }
}

fn show_gate(gate: &Gate) -> String {
    let targets: Vec<String> = gate
        .targets
        .iter()
        .map(|target| match target {
            Target::Named { resource, name, namespace } => {
                let namespace = namespace.as_ref().map(|n| format!("{n}:")).unwrap_or_default();
                format!("{namespace}{resource}/{name}")
            }
            Target::Selected { resource, selector, namespace, all_namespaces } => {
                let namespace = namespace.as_ref().map(|n| format!("{n}:")).unwrap_or_default();
                let everywhere = if *all_namespaces { "*:" } else { "" };
                format!("{namespace}{everywhere}{resource}({selector})")
            }
            Target::Files(ids) => format!("{ids:?}"),
        })
        .collect();
    let condition = match &gate.condition {
        Condition::Status { condition, value } => format!("{condition}={value}"),
        Condition::Field { path, value } => format!("{path}={}", value.as_deref().unwrap_or("*")),
        Condition::Exists => "exists".to_owned(),
        Condition::Gone => "gone".to_owned(),
        Condition::RolledOut => "rolled out".to_owned(),
        Condition::Running => "running".to_owned(),
        Condition::Unknown(why) => format!("unknown({why})"),
    };
    let timeout = gate.timeout.map_or_else(|| "for ever".to_owned(), |t| format!("{}s", t.as_secs()));
    let strict = if gate.needs_existing { "" } else { " absent-ok" };
    format!("wait {} {condition} {timeout}{strict}", targets.join(" "))
}
