//! Pod Security levels: which controls a pod breaks, in the words and in the order of the API server.
//!
//! k8s.io/pod-security-admission v0.36.4 `policy/registry.go`, `policy/check_*.go`, `api/helpers.go`; for 1.37 v0.37.1,
//! which differs in the sysctls alone. Held against that module by the cases beside the tests.

mod apparmor;
mod candidate;
mod capabilities;
mod escalation;
mod fault;
mod host;
mod policy;
mod probe;
mod proc_mount;
mod seccomp;
mod selinux;
mod sysctl;
mod user;
mod volume;
mod windows;

#[cfg(test)]
mod tests;

pub(crate) use candidate::Candidate;
pub(crate) use fault::Violation;
pub(crate) use policy::{Level, Policy};

/// One control: from which version of the policy on it holds, and from which on another one of `restricted` stands in
/// for it at that level.
struct Control {
    level: Level,
    since: u32,
    replaced: u32,
    check: fn(&Candidate<'_>) -> Option<Violation>,
}

const NEVER: u32 = u32::MAX;

/// Every control in the order in which the API server names them: baseline, then restricted, each by its identifier.
static CONTROLS: &[Control] = &[
    baseline(0, NEVER, apparmor::check),
    baseline(0, 22, capabilities::check_baseline),
    baseline(0, NEVER, host::check_namespaces),
    baseline(0, 0, volume::check_host_path),
    baseline(0, NEVER, host::check_ports),
    baseline(34, NEVER, probe::check),
    baseline(0, NEVER, escalation::check_privileged),
    baseline(0, 35, proc_mount::check_baseline),
    baseline(0, NEVER, selinux::check),
    baseline(0, 19, seccomp::check_baseline),
    baseline(0, NEVER, sysctl::check),
    baseline(0, NEVER, windows::check),
    restricted(8, escalation::check_allowed),
    restricted(22, capabilities::check_restricted),
    restricted(35, proc_mount::check),
    restricted(0, volume::check_restricted),
    restricted(0, user::check_non_root),
    restricted(23, user::check_user),
    restricted(19, seccomp::check_restricted),
];

const fn baseline(since: u32, replaced: u32, check: fn(&Candidate<'_>) -> Option<Violation>) -> Control {
    Control { level: Level::Baseline, since, replaced, check }
}

const fn restricted(since: u32, check: fn(&Candidate<'_>) -> Option<Violation>) -> Control {
    Control { level: Level::Restricted, since, replaced: NEVER, check }
}

/// What of a pod breaks a level, control by control.
pub(crate) fn violations(level: Level, pod: &Candidate<'_>) -> Vec<Violation> {
    let holds = |control: &&Control| {
        let is_replaced = level == Level::Restricted && pod.version >= control.replaced;
        control.level <= level && control.since <= pod.version && !is_replaced
    };
    CONTROLS.iter().filter(holds).filter_map(|control| (control.check)(pod)).collect()
}
