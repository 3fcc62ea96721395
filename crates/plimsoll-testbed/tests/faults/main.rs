//! Faults between real programs: what the API server says of webhooks that do not answer, and what `kubectl` makes of
//! an API server that is overloaded, broken or away.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod api_proxy;
mod webhook;
mod webhook_server;

use plimsoll_testbed::cluster::Cluster;
use std::process::Output;
use std::time::Duration;

/// Longer than anything here takes on a busy machine.
const SOON: Duration = Duration::from_mins(1);

/// Both outputs of a program, for people and assertions.
fn said(output: &Output) -> String {
    [String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)].concat()
}

/// Applies objects; they are JSON.
fn apply(cluster: &Cluster, objects: &[serde_json::Value]) {
    let file = tempfile::NamedTempFile::new().unwrap();
    let list = serde_json::json!({"apiVersion": "v1", "kind": "List", "items": objects});
    std::fs::write(file.path(), list.to_string()).unwrap();
    let output = cluster.kubectl(["apply", "-f", file.path().to_str().unwrap()]).unwrap();
    assert!(output.status.success(), "{}", said(&output));
}
