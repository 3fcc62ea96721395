//! Programs that ask an operator whether it works, once or until it does.
//!
//! cmctl v2.2.0 `pkg/check/api/api.go`: it has a Certificate checked by the webhook, once unless `--wait` says how long.
//! linkerd2 edge-26.8.3 `cli/cmd/check.go`: five minutes unless `--wait` says otherwise.

use super::duration;
use super::kubectl::wait_for;
use super::reader::Reader;
use super::simple::Call;
use super::state::{Flow, State};
use plimsoll_model::{Condition, Gate, Target};
use std::time::Duration;

/// The words of a command, how long it waits by itself, and the labels of the pods that have to answer.
const CHECKS: [(&[&str], Duration, &str); 3] = [
    (&["cmctl", "check", "api"], Duration::ZERO, WEBHOOK),
    (&["kubectl", "cert-manager", "check", "api"], Duration::ZERO, WEBHOOK),
    (&["linkerd", "check"], Duration::from_mins(5), "linkerd.io/control-plane-component=proxy-injector"),
];

const WEBHOOK: &str = "app.kubernetes.io/component=webhook,app.kubernetes.io/name=webhook";

/// A command that waits for an operator; none if it is another.
pub(super) fn run(reader: &mut Reader<'_, '_>, call: &Call<'_>, state: &State) -> Option<Flow> {
    let words: Vec<&str> = call.fields.iter().map(|field| field.text.as_str()).collect();
    let plain: Vec<&str> = words.iter().copied().filter(|word| !word.starts_with('-')).collect();
    let (_, patience, selector) = CHECKS.into_iter().find(|(command, ..)| is_called(command, &plain))?;
    // `linkerd check --pre` and `--crds` look at what is there before the control plane.
    if ["--pre", "--crds"].iter().any(|early| words.contains(early)) {
        return None;
    }
    let behind = words.iter().position(|word| *word == "--wait").and_then(|at| words.get(at + 1).copied());
    let said = words.iter().find_map(|word| word.strip_prefix("--wait=")).or(behind);
    let target = Target::Selected {
        resource: "pods".to_owned(),
        selector: selector.to_owned(),
        namespace: None,
        all_namespaces: true,
    };
    let gate = Gate {
        targets: vec![target],
        condition: Condition::Status { condition: "Ready".to_owned(), value: "True".to_owned() },
        timeout: Some(said.and_then(duration::go).map_or(patience, |(timeout, _)| timeout)),
        needs_existing: false,
    };
    Some(wait_for(reader, call, gate, state.clone()))
}

/// Whether the words are a command, by whichever path its program is called.
fn is_called(command: &[&str], words: &[&str]) -> bool {
    let (Some((first, verbs)), Some((program, rest))) = (command.split_first(), words.split_first()) else {
        return false;
    };
    program.rsplit('/').next() == Some(first) && rest.starts_with(verbs)
}
