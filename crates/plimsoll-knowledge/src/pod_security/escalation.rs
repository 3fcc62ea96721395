//! Privileged containers and escalation: `policy/check_privileged.go`, `policy/check_allowPrivilegeEscalation.go`.

use super::candidate::Candidate;
use super::fault::{Faults, Violation};
use plimsoll_model::Value;

pub(super) fn check_privileged(pod: &Candidate<'_>) -> Option<Violation> {
    let mut faults = Faults::default();
    for container in pod.containers() {
        if let Some(field) = container.context("privileged").filter(|field| field.value == Value::Bool(true))
        {
            faults.add(&container, field.place);
        }
    }
    faults.violation("privileged", |faults| {
        format!("{} must not set securityContext.privileged=true", faults.containers())
    })
}

pub(super) fn check_allowed(pod: &Candidate<'_>) -> Option<Violation> {
    if pod.version >= 25 && pod.is_windows() {
        return None;
    }
    let mut faults = Faults::default();
    for container in pod.containers() {
        match container.context("allowPrivilegeEscalation") {
            Some(field) if field.value == Value::Bool(false) => {}
            Some(field) => faults.add(&container, field.place),
            None => faults.add(&container, container.node.place),
        }
    }
    faults.violation("allowPrivilegeEscalation != false", |faults| {
        format!("{} must set securityContext.allowPrivilegeEscalation=false", faults.containers())
    })
}
