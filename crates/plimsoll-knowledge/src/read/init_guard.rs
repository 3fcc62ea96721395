//! Init containers that wait for something: which of them hold, and which cannot.
//!
//! The kubelet mounts every volume of a pod before its first init container starts (kubernetes v1.36.4
//! `pkg/kubelet/kubelet.go`: `SyncPod` waits for volumes, then hands the pod to the runtime), so an init container
//! never guards a volume. It does guard what later containers read into their environment: seen on a real kubelet.

use super::pods::Pods;
use plimsoll_model::{Node, Value};

/// Whether an init container waits, by name, for what an ordinary container reads into its environment.
pub(crate) fn holds(pods: &Pods<'_>, reference: &Node, name: &str) -> bool {
    let is_later = || pods.containers().iter().any(|container| contains(container, reference));
    let waiting = |container: &Node| waits(container) && words(container).any(|word| mentions(word, name));
    pods.init_containers().iter().any(waiting) && is_later()
}

/// A sentence about an init container that looks like a wait for a volume's source.
pub(crate) fn that_is_none(pods: &Pods<'_>) -> Option<String> {
    let waiting = pods.init_containers().iter().find(|container| waits(container))?;
    let name = waiting.text_at(&["name"]).unwrap_or("unnamed");
    Some(format!(
        "init container {name}, but the kubelet mounts all volumes before the first init container starts, \
         so it never runs while the volume's source is missing"
    ))
}

fn contains(node: &Node, wanted: &Node) -> bool {
    std::ptr::eq(node, wanted)
        || match &node.value {
            Value::List(items) => items.iter().any(|item| contains(item, wanted)),
            Value::Map(entries) => entries.iter().any(|(_, value)| contains(value, wanted)),
            _ => false,
        }
}

/// A container that loops or waits: `until`, `while`, `kubectl wait`, `wait-for`.
fn waits(container: &Node) -> bool {
    let signs = ["until ", "while ", "kubectl wait", "wait-for", "wait_for"];
    words(container).any(|word| signs.iter().any(|sign| word.contains(sign)))
}

fn words(container: &Node) -> impl Iterator<Item = &str> {
    container.list_at(&["command"]).iter().chain(container.list_at(&["args"])).filter_map(Node::text)
}

/// Whether a command line holds a name as a word of its own.
fn mentions(command: &str, name: &str) -> bool {
    command.split(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '.')).any(|word| word == name)
}
