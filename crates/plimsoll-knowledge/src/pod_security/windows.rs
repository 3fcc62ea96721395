//! Windows host processes: `policy/check_windowsHostProcess.go`.

use super::candidate::Candidate;
use super::fault::{Faults, Violation};
use plimsoll_model::{Node, Value};

pub(super) fn check(pod: &Candidate<'_>) -> Option<Violation> {
    let mut faults = Faults::default();
    if let Some(field) = pod.context("windowsOptions").and_then(host_process) {
        faults.add_pod(field.place);
    }
    for container in pod.containers() {
        if let Some(field) = container.context("windowsOptions").and_then(host_process) {
            faults.add(&container, field.place);
        }
    }
    faults.violation("hostProcess", |faults| {
        let setters = faults.setters().join(" and ");
        format!("{setters} must not set securityContext.windowsOptions.hostProcess=true")
    })
}

fn host_process(options: &Node) -> Option<&Node> {
    options.get("hostProcess").filter(|field| field.value == Value::Bool(true))
}
