//! SELinux types come from a short list, and neither user nor role may be set: `policy/check_seLinuxOptions.go`.

use super::candidate::Candidate;
use super::fault::{Faults, Violation, counted, quoted};
use plimsoll_model::{Node, Place};

/// What the options of a pod and its containers set that they may not.
#[derive(Default)]
struct Set {
    user: bool,
    role: bool,
}

pub(super) fn check(pod: &Candidate<'_>) -> Option<Violation> {
    let mut faults = Faults::default();
    let mut set = Set::default();
    if let Some(options) = pod.context("seLinuxOptions")
        && let Some(place) = examine(pod.version, options, &mut faults, &mut set)
    {
        faults.add_pod(place);
    }
    for container in pod.containers() {
        if let Some(options) = container.context("seLinuxOptions")
            && let Some(place) = examine(pod.version, options, &mut faults, &mut set)
        {
            faults.add(&container, place);
        }
    }
    faults.violation("seLinuxOptions", |faults| {
        let types = faults.values();
        let listed = || format!("{} {}", counted("type", "types", types.len()), quoted(types));
        let data: Vec<String> = [
            (!types.is_empty()).then(listed),
            set.user.then(|| "user may not be set".to_owned()),
            set.role.then(|| "role may not be set".to_owned()),
        ]
        .into_iter()
        .flatten()
        .collect();
        let setters = faults.setters().join(" and ");
        format!("{setters} set forbidden securityContext.seLinuxOptions: {}", data.join("; "))
    })
}

/// The first field of the options that is not permitted.
fn examine(version: u32, options: &Node, faults: &mut Faults<'_>, set: &mut Set) -> Option<Place> {
    let text = |field| options.get(field).filter(|node| node.text().is_some_and(|text| !text.is_empty()));
    let is_permitted = |kind: &str| {
        matches!(kind, "container_t" | "container_init_t" | "container_kvm_t")
            || (version >= 31 && kind == "container_engine_t")
    };
    let kind = text("type").filter(|node| !node.text().is_some_and(is_permitted));
    if let Some(kind) = kind.and_then(Node::text) {
        faults.add_value(kind);
    }
    let (user, role) = (text("user"), text("role"));
    set.user |= user.is_some();
    set.role |= role.is_some();
    kind.or(user).or(role).map(|node| node.place)
}
