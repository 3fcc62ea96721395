//! Types of volumes: `policy/check_hostPathVolumes.go`, `policy/check_restrictedVolumes.go`.

use super::candidate::Candidate;
use super::fault::{Violation, counted, quoted};
use plimsoll_model::Node;
use std::collections::BTreeSet;

const PERMITTED: [&str; 9] = [
    "configMap",
    "csi",
    "downwardAPI",
    "emptyDir",
    "ephemeral",
    "image",
    "persistentVolumeClaim",
    "projected",
    "secret",
];

/// Types that have a name in the answer; all others are `unknown`.
const KNOWN: [&str; 21] = [
    "hostPath",
    "gcePersistentDisk",
    "awsElasticBlockStore",
    "gitRepo",
    "nfs",
    "iscsi",
    "glusterfs",
    "rbd",
    "flexVolume",
    "cinder",
    "cephfs",
    "flocker",
    "fc",
    "azureFile",
    "vsphereVolume",
    "quobyte",
    "azureDisk",
    "photonPersistentDisk",
    "portworxVolume",
    "scaleIO",
    "storageos",
];

pub(super) fn check_host_path(pod: &Candidate<'_>) -> Option<Violation> {
    let volumes = pod.spec.list_at(&["volumes"]).iter();
    let found: Vec<_> = volumes.filter_map(|volume| Some((name(volume), volume.get("hostPath")?))).collect();
    let place = found.first()?.1.place;
    let names = quoted(found.iter().map(|(name, _)| *name));
    let detail = format!("{} {names}", counted("volume", "volumes", found.len()));
    Some(Violation { reason: "hostPath volumes", detail, place })
}

pub(super) fn check_restricted(pod: &Candidate<'_>) -> Option<Violation> {
    let volumes = pod.spec.list_at(&["volumes"]).iter();
    let found: Vec<&Node> =
        volumes.filter(|volume| !PERMITTED.iter().any(|kind| volume.get(kind).is_some())).collect();
    let first = found.first()?;
    let kinds: BTreeSet<&str> = found.iter().map(|volume| kind(volume)).collect();
    let detail = format!(
        "{} {} {} {} {}",
        counted("volume", "volumes", found.len()),
        quoted(found.iter().map(|volume| name(volume))),
        counted("uses", "use", found.len()),
        counted("restricted volume type", "restricted volume types", kinds.len()),
        quoted(&kinds)
    );
    let place = first.get(kind(first)).unwrap_or(first).place;
    Some(Violation { reason: "restricted volume types", detail, place })
}

fn name(volume: &Node) -> &str {
    volume.text_at(&["name"]).unwrap_or_default()
}

fn kind(volume: &Node) -> &'static str {
    KNOWN.into_iter().find(|kind| volume.get(kind).is_some()).unwrap_or("unknown")
}
