//! Seccomp profiles: `policy/check_seccompProfile_{baseline,restricted}.go`.

use super::candidate::Candidate;
use super::fault::{Faults, Violation, counted, quoted};
use plimsoll_model::{Node, Place};
use std::collections::BTreeMap;

const REASON: &str = "seccompProfile";

/// Before 1.19 annotations count, from then on fields.
pub(super) fn check_baseline(pod: &Candidate<'_>) -> Option<Violation> {
    if pod.version < 19 { check_annotations(pod) } else { explicit(pod).violation(REASON, must_not_set) }
}

pub(super) fn check_restricted(pod: &Candidate<'_>) -> Option<Violation> {
    if pod.version >= 25 && pod.is_windows() {
        return None;
    }
    if let Some(violation) = explicit(pod).violation(REASON, must_not_set) {
        return Some(violation);
    }
    if pod.context("seccompProfile").is_some() {
        return None;
    }
    let mut implicit = Faults::default();
    for container in pod.containers().filter(|container| container.context("seccompProfile").is_none()) {
        implicit.add(&container, container.node.place);
    }
    implicit.violation(REASON, |faults| {
        let containers = faults.containers();
        format!(
            "pod or {containers} must set securityContext.seccompProfile.type to \"RuntimeDefault\" or \"Localhost\""
        )
    })
}

/// The pod and the containers whose profile is not permitted.
fn explicit<'a>(pod: &Candidate<'a>) -> Faults<'a> {
    let mut faults = Faults::default();
    if let Some((profile, kind)) = pod.context("seccompProfile").and_then(forbidden) {
        faults.add_pod(profile.place);
        faults.add_value(kind);
    }
    for container in pod.containers() {
        if let Some((profile, kind)) = container.context("seccompProfile").and_then(forbidden) {
            faults.add(&container, profile.place);
            faults.add_value(kind);
        }
    }
    faults
}

fn forbidden(profile: &Node) -> Option<(&Node, &str)> {
    let kind = profile.text_at(&["type"]).unwrap_or_default();
    (!matches!(kind, "RuntimeDefault" | "Localhost")).then_some((profile, kind))
}

fn must_not_set(faults: &Faults<'_>) -> String {
    let (setters, values) = (faults.setters().join(" and "), quoted(faults.values()));
    format!("{setters} must not set securityContext.seccompProfile.type to {values}")
}

fn check_annotations(pod: &Candidate<'_>) -> Option<Violation> {
    let of_containers =
        pod.containers().map(|one| format!("container.seccomp.security.alpha.kubernetes.io/{}", one.name));
    let keys = std::iter::once("seccomp.security.alpha.kubernetes.io/pod".to_owned()).chain(of_containers);
    let forbidden: BTreeMap<String, Place> = keys
        .filter_map(|key| {
            let annotation = pod.annotation(&key)?;
            let text = annotation.text().unwrap_or_default();
            let is_permitted =
                matches!(text, "runtime/default" | "docker/default") || text.starts_with("localhost/");
            (!is_permitted).then(|| (format!("{key}={text:?}"), annotation.place))
        })
        .collect();
    let place = *forbidden.values().next()?;
    let word = counted("annotation", "annotations", forbidden.len());
    let listed = forbidden.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
    Some(Violation { reason: REASON, detail: format!("forbidden {word} {listed}"), place })
}
