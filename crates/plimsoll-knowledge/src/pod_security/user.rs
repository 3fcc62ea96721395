//! Containers must not run as root: `policy/check_runAsNonRoot.go`, `policy/check_runAsUser.go`.

use super::candidate::Candidate;
use super::fault::{Faults, Violation};
use plimsoll_model::{Node, Value};

pub(super) fn check_non_root(pod: &Candidate<'_>) -> Option<Violation> {
    const REASON: &str = "runAsNonRoot != true";
    if pod.is_in_user_namespace() {
        return None;
    }
    let explicit = setting(pod, "runAsNonRoot", &Value::Bool(false));
    if !explicit.is_empty() {
        return explicit.violation(REASON, |faults| {
            format!("{} must not set securityContext.runAsNonRoot=false", faults.setters().join(" and "))
        });
    }
    if pod.context("runAsNonRoot").is_some() {
        return None;
    }
    let mut implicit = Faults::default();
    for container in pod.containers().filter(|container| container.context("runAsNonRoot").is_none()) {
        implicit.add(&container, container.node.place);
    }
    implicit.violation(REASON, |faults| {
        format!("pod or {} must set securityContext.runAsNonRoot=true", faults.containers())
    })
}

pub(super) fn check_user(pod: &Candidate<'_>) -> Option<Violation> {
    if pod.is_in_user_namespace() {
        return None;
    }
    setting(pod, "runAsUser", &Value::Int(0)).violation("runAsUser=0", |faults| {
        format!("{} must not set runAsUser=0", faults.setters().join(" and "))
    })
}

/// The pod and the containers that set a field of their security context to a value.
fn setting<'a>(pod: &Candidate<'a>, field: &str, value: &Value) -> Faults<'a> {
    let is_set = |node: &&Node| node.value == *value;
    let mut faults = Faults::default();
    if let Some(node) = pod.context(field).filter(is_set) {
        faults.add_pod(node.place);
    }
    for container in pod.containers() {
        if let Some(node) = container.context(field).filter(is_set) {
            faults.add(&container, node.place);
        }
    }
    faults
}
