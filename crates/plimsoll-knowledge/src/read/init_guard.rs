//! Init containers that wait for something: which of them hold, and which cannot.
//!
//! The kubelet mounts every volume of a pod before its first init container starts (kubernetes v1.36.4
//! `pkg/kubelet/kubelet.go`: `SyncPod` waits for volumes, then hands the pod to the runtime), so an init container
//! never guards a volume. It does guard what later containers read into their environment: seen on a real kubelet.

use super::pods::Pods;
use crate::view::View;
use plimsoll_model::{Node, ObjectId, Value};

/// Whether an init container waits, by name, for what an ordinary container reads into its environment.
pub(crate) fn holds(pods: &Pods<'_>, reference: &Node, name: &str) -> bool {
    let is_later = || pods.containers().iter().any(|container| contains(container, reference));
    let waiting = |container: &Node| waits(container) && words(container).any(|word| mentions(word, name));
    pods.init_containers().iter().any(waiting) && is_later()
}

/// The Jobs of the input that init containers wait for by name, with `kubectl wait` or a program that is made for it.
pub(crate) fn awaited_jobs(view: &View<'_>, pods: &Pods<'_>) -> Vec<ObjectId> {
    let waiting = pods.init_containers().iter().filter(|container| waits(container) || is_waiter(container));
    let line = waiting.flat_map(|container| words(container).chain([" ; "])).collect::<Vec<_>>().join(" ");
    let job = |name: &str| ObjectId::new("batch", "Job", Some(pods.namespace()), name);
    let mut jobs: Vec<ObjectId> = named_jobs(&line).map(job).collect();
    jobs.retain(|job| view.delivers(job) && *job != pods.owner.id);
    jobs
}

/// What stands behind `job/` or behind the word `job`; `job-wr` is what k8s-wait-for calls one that may be restarted.
fn named_jobs(line: &str) -> impl Iterator<Item = &str> {
    const KINDS: [&str; 6] = ["job", "jobs", "job.batch", "jobs.batch", "job-wr", "job-we"];
    let words = || line.split(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ';' | ')'));
    let named = words().filter_map(|word| word.split_once('/')).filter(|(kind, _)| KINDS.contains(kind));
    let behind = words().zip(words().skip(1)).filter(|(kind, _)| KINDS.contains(kind));
    named.chain(behind).map(|(_, name)| name)
}

/// Whether a program does nothing but wait, by the name of its image.
fn is_waiter(container: &Node) -> bool {
    let image = container.text_at(&["image"]).unwrap_or_default();
    image.rsplit('/').next().is_some_and(|name| name.contains("wait-for"))
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

#[cfg(test)]
mod tests {
    use super::named_jobs;

    #[test]
    fn jobs_are_named_behind_their_kind() {
        let check = |line: &str, expected: &[&str]| {
            assert_eq!(named_jobs(line).collect::<Vec<_>>(), expected, "{line}");
        };
        check("kubectl wait --for=condition=complete job/migrate --timeout=5m", &["migrate"]);
        check("sh -c kubectl wait 'jobs.batch/migrate'; echo", &["migrate"]);
        check("job-wr migrate", &["migrate"]);
        check("nc -z migrate 5432", &[]);
    }
}
