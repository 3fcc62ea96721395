//! Init containers that seem to wait for something, and cannot.
//!
//! The kubelet mounts every volume of a pod before its first init container starts (kubernetes v1.36.4
//! `pkg/kubelet/kubelet.go`: `SyncPod` waits for volumes, then hands the pod to the runtime), so an init container
//! never guards a volume.

use crate::view::View;
use plimsoll_model::{Node, Object, Value};

/// A sentence about an init container of the owner's pods that looks like a wait for a volume's source.
pub(crate) fn that_is_none(view: &View<'_>, owner: &Object, reference: &Node) -> Option<String> {
    let pods = view.pods_of(&owner.id)?;
    let is_volume = pods
        .spec
        .list_at(&["volumes"])
        .iter()
        .any(|volume| volume.entries().iter().any(|(_, source)| contains(source, reference)));
    if !is_volume {
        return None;
    }
    let waiting = pods.init_containers().iter().find(|container| waits(container))?;
    let name = waiting.text_at(&["name"]).unwrap_or("unnamed");
    Some(format!(
        "init container {name} waits, but the kubelet mounts all volumes before the first init container starts, \
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
    let words = container.list_at(&["command"]).iter().chain(container.list_at(&["args"]));
    words
        .filter_map(Node::text)
        .any(|word| ["until ", "while ", "kubectl wait", "wait-for", "wait_for"].iter().any(|sign| word.contains(sign)))
}
