//! What a wait waits for: a condition as written becomes the milestone that it proves.

use plimsoll_model::Condition;
use plimsoll_model::Milestone::{
    self, Bound, Complete, Established, Gone, Observed, Ready, Serving, Started, Stored,
};

/// The milestone that a condition proves of a kind; `None` if it proves nothing that is known.
pub(super) fn milestone(condition: &Condition) -> Option<Milestone> {
    match condition {
        Condition::Exists => Some(Stored),
        Condition::Gone => Some(Gone),
        Condition::RolledOut => Some(Ready),
        Condition::Running => Some(Started),
        Condition::Status { condition, value } => status(condition, value),
        Condition::Field { path, value } => field(path, value.as_deref()),
        Condition::Unknown(_) => None,
    }
}

fn status(condition: &str, value: &str) -> Option<Milestone> {
    if !value.eq_ignore_ascii_case("true") {
        return None;
    }
    match condition.to_ascii_lowercase().as_str() {
        "established" => Some(Established),
        "complete" | "completed" | "succeeded" => Some(Complete),
        "ready" | "available" | "healthy" | "synced" | "containersready" => Some(Ready),
        "podscheduled" => Some(Bound),
        "initialized" | "progressing" => Some(Observed),
        _ => None,
    }
}

/// Fields that prove a milestone: the phases of claims, namespaces and pods, replica counts, endpoints, conditions
/// picked out by a filter, and fields of a Secret or ConfigMap, which prove that it is stored.
fn field(path: &str, value: Option<&str>) -> Option<Milestone> {
    let path = path.trim_start_matches('.');
    if let Some(condition) = filtered_condition(path) {
        return status(condition, value.unwrap_or("True"));
    }
    match (path, value) {
        ("status.phase", Some("Bound")) => Some(Bound),
        ("status.phase", Some("Active")) => Some(Stored),
        ("status.phase", Some("Running")) => Some(Started),
        ("status.phase", Some("Succeeded" | "Complete")) | ("status.succeeded", Some(_)) => Some(Complete),
        ("status.readyReplicas" | "status.availableReplicas" | "status.numberReady", _) => Some(Ready),
        _ if path.starts_with("subsets") => Some(Serving),
        _ if path.starts_with("status.loadBalancer") => Some(Ready),
        _ if path.starts_with("data") || path.starts_with("metadata") => Some(Stored),
        _ => None,
    }
}

/// The type in `status.conditions[?(@.type=="Ready")].status`.
fn filtered_condition(path: &str) -> Option<&str> {
    let rest = path.strip_prefix("status.conditions[?(@.type")?;
    let rest = rest.trim_start_matches([' ', '=']).trim_start_matches(['"', '\'', '\\']);
    rest.split(['"', '\'', '\\', ')']).next().filter(|name| !name.is_empty())
}
