//! Services, names and volumes of a real cluster.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod claims;
mod pod;
mod services;

use plimsoll_testbed::cluster::Cluster;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::{Child, Output};
use std::time::Duration;

/// Longer than anything here takes on a busy machine.
const SOON: Duration = Duration::from_mins(1);

/// Starts one of the testbed's processes inside the cluster and waits until it says that it is ready.
fn start(cluster: &Cluster, arguments: &[&str]) -> Process {
    let folder = tempfile::tempdir().unwrap();
    let notices = UnixDatagram::bind(folder.path().join("notices")).unwrap();
    notices.set_read_timeout(Some(SOON)).unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_plimsoll-testbed"));
    let kubeconfig = cluster.inside_kubeconfig_path();
    let process = cluster
        .command_inside(program)
        .args(arguments)
        .arg("--kubeconfig")
        .arg(kubeconfig)
        .env("NOTIFY_SOCKET", folder.path().join("notices"))
        .spawn()
        .map(Process)
        .unwrap();
    let mut notice = [0; 64];
    let count = notices.recv(&mut notice).expect("it is ready");
    assert_eq!(&notice[..count], b"READY=1");
    process
}

/// A process inside the cluster; what it started ends with the cluster.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs `kubectl` and expects success.
fn kubectl(cluster: &Cluster, arguments: &[&str]) -> String {
    let output = cluster.kubectl(arguments).unwrap();
    assert!(output.status.success(), "kubectl {arguments:?}: {}", said(&output));
    said(&output)
}

/// Both outputs of a program, for people and assertions.
fn said(output: &Output) -> String {
    [String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)].concat()
}

/// Applies objects; they are JSON.
fn apply(cluster: &Cluster, objects: &[serde_json::Value]) {
    let file = tempfile::NamedTempFile::new().unwrap();
    let list = serde_json::json!({"apiVersion": "v1", "kind": "List", "items": objects});
    std::fs::write(file.path(), list.to_string()).unwrap();
    kubectl(cluster, &["apply", "-f", file.path().to_str().unwrap()]);
}
