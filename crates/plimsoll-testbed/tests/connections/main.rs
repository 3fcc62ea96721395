//! What lies between the programs of a real cluster: Services, names and volumes, and faults on the way to webhooks and
//! to the API server.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod api_proxy;
mod claims;
mod network_words;
mod pod;
mod process;
mod remote;
mod services;
mod webhook;
mod webhook_server;

use plimsoll_testbed::cluster::Cluster;
use std::process::Output;
use std::time::Duration;

/// Longer than anything here takes on a busy machine.
const SOON: Duration = Duration::from_mins(2);

/// Runs `kubectl` and expects success.
fn kubectl(cluster: &Cluster, arguments: &[&str]) -> String {
    let output = cluster.kubectl(arguments).unwrap();
    assert!(output.status.success(), "kubectl {arguments:?}: {}", said(&output));
    said(&output)
}

/// Applies objects; they are JSON.
fn apply(cluster: &Cluster, objects: &[serde_json::Value]) {
    let folder = cluster.workplace().unwrap();
    let file = folder.path().join("objects.json");
    let list = serde_json::json!({"apiVersion": "v1", "kind": "List", "items": objects});
    std::fs::write(&file, list.to_string()).unwrap();
    kubectl(cluster, &["apply", "-f", file.to_str().unwrap()]);
}

/// Both outputs of a program, for people and assertions.
fn said(output: &Output) -> String {
    [String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)].concat()
}
