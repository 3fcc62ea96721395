//! Probes and lifecycle handlers must not name a host: `policy/check_hostProbesAndhostLifecycle.go`.

use super::candidate::{Candidate, Container};
use super::fault::{Violation, counted, quoted};
use plimsoll_model::Node;
use std::collections::BTreeSet;

const HANDLERS: [&[&str]; 5] = [
    &["livenessProbe"],
    &["readinessProbe"],
    &["startupProbe"],
    &["lifecycle", "postStart"],
    &["lifecycle", "preStop"],
];

pub(super) fn check(pod: &Candidate<'_>) -> Option<Violation> {
    let found: Vec<_> = pod.containers().flat_map(|container| hosts(&container)).collect();
    let place = found.first()?.1.place;
    let containers: BTreeSet<&str> = found.iter().map(|(name, _)| *name).collect();
    let hosts: BTreeSet<&str> = found.iter().filter_map(|(_, host)| host.text()).collect();
    let detail = format!(
        "{} {} {} {} {}",
        counted("container", "containers", containers.len()),
        quoted(&containers),
        counted("uses", "use", containers.len()),
        counted("probe or lifecycle host", "probe or lifecycle hosts", hosts.len()),
        quoted(&hosts)
    );
    Some(Violation { reason: "probe or lifecycle host", detail, place })
}

fn hosts<'a>(container: &Container<'a>) -> Vec<(&'a str, &'a Node)> {
    let handlers = HANDLERS.iter().filter_map(|path| container.node.at(path));
    let hosts = handlers.flat_map(|handler| {
        [&["httpGet", "host"], &["tcpSocket", "host"]].into_iter().filter_map(|path| handler.at(path))
    });
    hosts
        .filter(|host| host.text().is_some_and(|text| !text.is_empty()))
        .map(|host| (container.name, host))
        .collect()
}
