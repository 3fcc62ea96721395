//! A cluster starts, answers, and leaves nothing behind.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking"
)]

use plimsoll_testbed::cluster::{Cluster, Options};

#[test]
fn a_cluster_answers_and_is_gone_when_dropped() {
    let began = std::time::Instant::now();
    let cluster = Cluster::start(Options::default()).expect("a cluster");
    println!("ready after {:?}", began.elapsed());
    let output = cluster.kubectl(["get", "namespaces", "-o", "name"]).expect("kubectl");
    let names = String::from_utf8_lossy(&output.stdout);
    assert!(names.contains("namespace/kube-system"), "{names} {output:?}");
    let audit = std::fs::read_to_string(cluster.audit_log()).expect("audit log");
    assert!(audit.contains("\"user\":{\"username\":\"admin\""), "the request of kubectl is in the audit log");
    let folder = cluster.folder().to_owned();
    assert!(folder.exists());
    let began = std::time::Instant::now();
    drop(cluster);
    println!("gone after {:?}", began.elapsed());
    assert!(!folder.exists());
}
