//! `/proc` must be masked: `policy/check_procMount_{baseline,restricted}.go`.

use super::candidate::Candidate;
use super::fault::{Faults, Violation, quoted};

/// From 1.35 on, baseline makes allowance for pods in a user namespace of their own.
pub(super) fn check_baseline(pod: &Candidate<'_>) -> Option<Violation> {
    if pod.is_in_user_namespace() { None } else { check(pod) }
}

pub(super) fn check(pod: &Candidate<'_>) -> Option<Violation> {
    let mut faults = Faults::default();
    for container in pod.containers() {
        let field = container.context("procMount");
        if let Some((field, text)) =
            field.and_then(|field| Some((field, field.text()?))).filter(|(_, t)| *t != "Default")
        {
            faults.add(&container, field.place);
            faults.add_value(text);
        }
    }
    faults.violation("procMount", |faults| {
        format!(
            "{} must not set securityContext.procMount to {}",
            faults.containers(),
            quoted(faults.values())
        )
    })
}
