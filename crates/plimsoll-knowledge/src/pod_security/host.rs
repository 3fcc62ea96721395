//! The host's namespaces and ports: `policy/check_hostNamespaces.go`, `policy/check_hostPorts.go`.

use super::candidate::{Candidate, Container};
use super::fault::{Faults, Violation, counted};
use plimsoll_model::{Node, Place};

pub(super) fn check_namespaces(pod: &Candidate<'_>) -> Option<Violation> {
    let shared = |field: &&str| pod.spec.bool_at(&[field]) == Some(true);
    let fields: Vec<&str> = ["hostNetwork", "hostPID", "hostIPC"].into_iter().filter(shared).collect();
    let place = pod.spec.get(fields.first()?)?.place;
    let detail = fields.iter().map(|field| format!("{field}=true")).collect::<Vec<_>>().join(", ");
    Some(Violation { reason: "host namespaces", detail, place })
}

pub(super) fn check_ports(pod: &Candidate<'_>) -> Option<Violation> {
    let mut faults = Faults::default();
    for container in pod.containers() {
        let ports = host_ports(pod, &container);
        if let Some((_, place)) = ports.first() {
            faults.add(&container, *place);
        }
        for (port, _) in &ports {
            faults.add_value(port.to_string());
        }
    }
    faults.violation("hostPort", |faults| {
        let uses = counted("uses", "use", faults.count());
        let word = counted("hostPort", "hostPorts", faults.values().len());
        let ports = faults.values().iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        format!("{} {uses} {word} {ports}", faults.containers())
    })
}

/// The host ports of a container. On the host's network every port is one, whether it says so or not: kubernetes
/// v1.36.4 `pkg/apis/core/v1/defaults.go` `defaultHostNetworkPorts`.
fn host_ports(pod: &Candidate<'_>, container: &Container<'_>) -> Vec<(i64, Place)> {
    let is_defaulted = pod.spec.bool_at(&["hostNetwork"]) == Some(true) && !container.is_ephemeral;
    let used = |port: &Node| {
        let explicit = port.int_at(&["hostPort"]).filter(|number| *number != 0);
        let number = explicit.or_else(|| port.int_at(&["containerPort"]).filter(|_| is_defaulted))?;
        Some((number, port.get("hostPort").unwrap_or(port).place))
    };
    container.node.list_at(&["ports"]).iter().filter_map(used).collect()
}
