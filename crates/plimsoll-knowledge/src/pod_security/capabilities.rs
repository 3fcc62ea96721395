//! Which capabilities may be added, and that all must be dropped: `policy/check_capabilities_{baseline,restricted}.go`.

use super::candidate::{Candidate, Container};
use super::fault::{Faults, Violation, quoted};
use plimsoll_model::Node;

const DEFAULT: [&str; 13] = [
    "AUDIT_WRITE",
    "CHOWN",
    "DAC_OVERRIDE",
    "FOWNER",
    "FSETID",
    "KILL",
    "MKNOD",
    "NET_BIND_SERVICE",
    "SETFCAP",
    "SETGID",
    "SETPCAP",
    "SETUID",
    "SYS_CHROOT",
];

pub(super) fn check_baseline(pod: &Candidate<'_>) -> Option<Violation> {
    added(pod, &DEFAULT).violation("non-default capabilities", must_not_add)
}

pub(super) fn check_restricted(pod: &Candidate<'_>) -> Option<Violation> {
    if pod.version >= 25 && pod.is_windows() {
        return None;
    }
    let mut keeping = Faults::default();
    for container in pod.containers().filter(|container| !drops_all(container)) {
        keeping.add(&container, container.node.place);
    }
    let adding = added(pod, &["NET_BIND_SERVICE"]);
    let place = if keeping.is_empty() { adding.place() } else { keeping.place() };
    let must_drop = |faults: &Faults<'_>| {
        format!("{} must set securityContext.capabilities.drop=[\"ALL\"]", faults.containers())
    };
    let details: Vec<String> = [
        (!keeping.is_empty()).then(|| must_drop(&keeping)),
        (!adding.is_empty()).then(|| must_not_add(&adding)),
    ]
    .into_iter()
    .flatten()
    .collect();
    let reason = "unrestricted capabilities";
    (!details.is_empty()).then(|| Violation { reason, detail: details.join("; "), place })
}

/// The containers that add a capability outside a list.
fn added<'a>(pod: &Candidate<'a>, permitted: &[&str]) -> Faults<'a> {
    let mut faults = Faults::default();
    for container in pod.containers() {
        let capabilities = container.context("capabilities").map_or(&[][..], |node| node.list_at(&["add"]));
        let mut forbidden = capabilities
            .iter()
            .filter(|one| one.text().is_some_and(|text| !permitted.contains(&text)))
            .peekable();
        if let Some(first) = forbidden.peek() {
            faults.add(&container, first.place);
        }
        forbidden.filter_map(Node::text).for_each(|text| faults.add_value(text));
    }
    faults
}

fn drops_all(container: &Container<'_>) -> bool {
    let capabilities = container.context("capabilities");
    capabilities.is_some_and(|node| node.list_at(&["drop"]).iter().any(|one| one.text() == Some("ALL")))
}

fn must_not_add(faults: &Faults<'_>) -> String {
    let values = quoted(faults.values());
    format!("{} must not include {values} in securityContext.capabilities.add", faults.containers())
}
