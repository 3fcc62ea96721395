//! What a cluster with nodes has besides them: Services that answer, names that resolve, claims that are bound, and
//! nodes that only exist as objects.

use super::control_plane::{ControlPlane, program};
use super::messages::Order;
use super::options::Options;
use super::room::Room;
use crate::processes::{Children, Program, Readiness};
use crate::programs::KWOK_STAGES;
use serde_json::json;
use std::io;
use std::time::{Duration, Instant};

/// How long the nodes of kwok may take to be ready.
const PATIENCE: Duration = Duration::from_mins(2);

/// Marks the nodes that kwok plays.
const PLAYED: &str = "kwok.x-k8s.io/node";

/// Starts what the options ask for and waits until it is there.
pub(super) fn start(
    room: &Room,
    order: &Order,
    children: &Children,
    control_plane: &ControlPlane,
) -> io::Result<()> {
    let Options { nodes, kwok, .. } = order.options;
    if nodes > 0 {
        children.start(&own(room, control_plane, "network", vec![])?)?;
        let folder = format!("--folder={}", room.file("volumes").display());
        children.start(&own(room, control_plane, "provisioner", vec![folder])?)?;
    }
    if kwok > 0 {
        start_kwok(room, order, children, control_plane)?;
        let last = format!("/api/v1/nodes?watch=true&fieldSelector=metadata.name=kwok-{kwok}");
        let deadline = Instant::now() + PATIENCE;
        control_plane.question.until_seen(&last, "\"reason\":\"KubeletReady\"", deadline)?;
    }
    Ok(())
}

/// A process of this program, with all rights and a name of its own in the audit log.
fn own(
    room: &Room,
    control_plane: &ControlPlane,
    name: &str,
    mut arguments: Vec<String>,
) -> io::Result<Program> {
    arguments.splice(0..0, [name.to_owned(), control_plane.kubeconfig_for(room, name)?]);
    Ok(Program::new(name, std::env::current_exe()?, arguments).ready_by(Readiness::Notice))
}

fn start_kwok(
    room: &Room,
    order: &Order,
    children: &Children,
    control_plane: &ControlPlane,
) -> io::Result<()> {
    let mut kwok = program(order, "kwok", vec![])?;
    let stages = kwok.path.with_file_name(KWOK_STAGES);
    if !stages.is_file() {
        let text = format!("{} is missing: remove kwok's folder, and it is built again", stages.display());
        return Err(io::Error::new(io::ErrorKind::NotFound, text));
    }
    kwok.arguments = vec![
        control_plane.kubeconfig_for(room, "kwok")?,
        format!("--config={}", stages.display()),
        "--manage-all-nodes=false".to_owned(),
        format!("--manage-nodes-with-annotation-selector={PLAYED}=fake"),
        // Addresses that no real pod has.
        "--cidr=10.245.0.0/16".to_owned(),
        "--node-ip=10.245.0.1".to_owned(),
    ];
    for number in 1..=order.options.kwok {
        let node = kwok_node(number, order.options.nodes > 0);
        control_plane.question.create("/api/v1/nodes", &node.to_string())?;
    }
    children.start(&kwok)
}

/// A node for kwok to play. Beside real nodes it is tainted: a pod must not be played where it is meant to run.
fn kwok_node(number: u32, is_beside_real_ones: bool) -> serde_json::Value {
    let name = format!("kwok-{number}");
    let size = json!({"cpu": "32", "memory": "256Gi", "pods": "110"});
    let taints = if is_beside_real_ones {
        json!([{"key": PLAYED, "value": "fake", "effect": "NoSchedule"}])
    } else {
        json!([])
    };
    json!({
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "name": name,
            "annotations": {PLAYED: "fake"},
            "labels": {"type": "kwok", "kubernetes.io/hostname": name, "kubernetes.io/os": "linux"},
        },
        "spec": {"taints": taints},
        "status": {"allocatable": size, "capacity": size},
    })
}
