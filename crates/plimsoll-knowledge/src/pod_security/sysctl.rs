//! Only safe kernel parameters may be set: `policy/check_sysctls.go`.

use super::candidate::Candidate;
use super::fault::Violation;

/// The safe ones, and the version of the policy that admitted each.
const SAFE: [(&str, u32); 14] = [
    ("kernel.shm_rmid_forced", 0),
    ("net.ipv4.ip_local_port_range", 0),
    ("net.ipv4.tcp_syncookies", 0),
    ("net.ipv4.ping_group_range", 0),
    ("net.ipv4.ip_unprivileged_port_start", 0),
    ("net.ipv4.ip_local_reserved_ports", 27),
    ("net.ipv4.tcp_keepalive_time", 29),
    ("net.ipv4.tcp_fin_timeout", 29),
    ("net.ipv4.tcp_keepalive_intvl", 29),
    ("net.ipv4.tcp_keepalive_probes", 29),
    ("net.ipv4.tcp_rmem", 32),
    ("net.ipv4.tcp_wmem", 32),
    ("net.ipv4.tcp_slow_start_after_idle", 37),
    ("net.ipv4.tcp_notsent_lowat", 37),
];

pub(super) fn check(pod: &Candidate<'_>) -> Option<Violation> {
    let is_safe = |name: &str| SAFE.iter().any(|(safe, since)| *safe == name && *since <= pod.version);
    let set = pod.context("sysctls").map_or(&[][..], |node| node.items()).iter();
    let forbidden: Vec<_> = set
        .filter_map(|sysctl| Some((sysctl.get("name")?.place, sysctl.text_at(&["name"])?)))
        .filter(|(_, name)| !is_safe(name))
        .collect();
    let (place, _) = *forbidden.first()?;
    let detail = forbidden.iter().map(|(_, name)| *name).collect::<Vec<_>>().join(", ");
    Some(Violation { reason: "forbidden sysctls", detail, place })
}
