//! Real nodes: pods run on them, taints keep pods off, and what happens to a node is seen in the cluster.

use crate::traces::Traces;
use crate::{kubectl, started};
use plimsoll_testbed::cluster::{Cluster, Options};
use plimsoll_testbed::node::{Capacity, NodeSettings};
use plimsoll_testbed::processes::State;
use plimsoll_testbed::workplace::Workplace;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use std::collections::BTreeMap;

/// A table in which every image sleeps.
const IMAGES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cluster/images.yaml");

#[test]
fn pods_run_on_real_nodes_and_come_back_after_a_reboot() {
    let tainted = NodeSettings {
        taints: vec!["for=others:NoSchedule".to_owned()],
        capacity: Capacity { processors: 3, gibibytes: 5 },
        ..NodeSettings::default()
    };
    let Some(cluster) = start("nodes", 2, BTreeMap::from([("node-2".to_owned(), tainted)])) else { return };
    kubectl(&cluster, &["create", "deployment", "web", "--image=web", "--replicas=3"]);
    kubectl(&cluster, &["rollout", "status", "deployment/web", "--timeout=120s"]);
    let nodes = kubectl(&cluster, &["get", "pods", "-o", "jsonpath={.items[*].spec.nodeName}"]);
    assert_eq!(nodes, "node-1 node-1 node-1");
    let capacity = "jsonpath={.items[*].status.capacity.cpu} {.items[*].status.allocatable.memory}";
    assert_eq!(kubectl(&cluster, &["get", "nodes", "-o", capacity]), "64 3 256Gi 5Gi");
    cluster.reboot_node("node-1").expect("a reboot");
    let again = "--for=jsonpath={.status.containerStatuses[0].restartCount}=1";
    kubectl(&cluster, &["wait", "pod", "-l", "app=web", again, "--timeout=120s"]);
    kubectl(&cluster, &["wait", "pod", "-l", "app=web", "--for=condition=Ready", "--timeout=120s"]);
    let traces = Traces::of(&cluster);
    drop(cluster);
    traces.assert_gone();
}

#[test]
fn nothing_is_left_when_the_supervisor_is_killed_while_pods_start() {
    let Some(cluster) = start("killed", 1, BTreeMap::new()) else { return };
    kubectl(&cluster, &["create", "deployment", "web", "--image=web", "--replicas=12"]);
    kubectl(
        &cluster,
        &["wait", "deployment/web", "--for=jsonpath={.status.readyReplicas}=1", "--timeout=120s"],
    );
    let traces = Traces::of(&cluster);
    let supervisor = i32::try_from(cluster.supervisor()).ok().and_then(Pid::from_raw).expect("a process");
    kill_process(supervisor, Signal::KILL).expect("killed");
    traces.assert_gone();
}

#[test]
fn a_node_without_its_kubelet_is_not_ready_until_it_is_back() {
    let quick = json!({"nodeLeaseDurationSeconds": 4, "nodeStatusUpdateFrequency": "1s"});
    let settings =
        NodeSettings { kubelet: quick.as_object().cloned().expect("an object"), ..NodeSettings::default() };
    let mut options = options("not-ready", 1, BTreeMap::from([("node-1".to_owned(), settings)]));
    options.controller_arguments =
        ["--node-monitor-grace-period=10s", "--node-monitor-period=1s"].map(str::to_owned).to_vec();
    let Some(cluster) = started(options) else { return };
    cluster.stop_program("node-1/kubelet").expect("a stop");
    assert_eq!(cluster.states().expect("states")["node-1/kubelet"], State::Stopped);
    kubectl(&cluster, &["wait", "node/node-1", "--for=condition=Ready=Unknown", "--timeout=60s"]);
    cluster.start_program("node-1/kubelet").expect("a start");
    kubectl(&cluster, &["wait", "node/node-1", "--for=condition=Ready", "--timeout=60s"]);
}

#[test]
fn a_slow_node_does_its_work_all_the_same() {
    let slow = NodeSettings { busy_share: Some(0.8), ..NodeSettings::default() };
    let Some(cluster) = start("slow", 1, BTreeMap::from([("node-1".to_owned(), slow)])) else { return };
    kubectl(&cluster, &["run", "web", "--image=web"]);
    kubectl(&cluster, &["wait", "pod/web", "--for=condition=Ready", "--timeout=120s"]);
}

#[test]
fn a_wrong_image_table_is_refused_with_its_place() {
    let folder = Workplace::open().expect("a folder");
    let images = folder.path().join("images.yaml");
    std::fs::write(&images, "images:\n- image: web\n  behavior: sleeps\n").expect("a table");
    let options = Options { name: "wrong".to_owned(), nodes: 1, images: Some(images), ..Options::default() };
    let failure = Cluster::start(options).expect_err("the key is misspelt").to_string();
    assert!(failure.contains("images.yaml") && failure.contains("behavior"), "{failure}");
}

fn start(name: &str, nodes: u8, node_settings: BTreeMap<String, NodeSettings>) -> Option<Cluster> {
    started(options(name, nodes, node_settings))
}

fn options(name: &str, nodes: u8, node_settings: BTreeMap<String, NodeSettings>) -> Options {
    Options { name: name.to_owned(), nodes, node_settings, images: Some(IMAGES.into()), ..Options::default() }
}
