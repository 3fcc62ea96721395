//! Everything that process 1 of a node must know, as a file in the node's folder.

use super::capacity::Capacity;
use super::settings::NodeSettings;
use super::{kubelet, root};
use crate::processes::{Program, Readiness};
use serde::{Deserialize, Serialize};
use std::io;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};

/// What the runtime is called among the node's programs.
pub(super) const RUNTIME: &str = "runtime";

/// Where the runtime finds its files. A short path: there are sockets below it, whose paths may have 107 letters.
const STATE: &str = "/run/node";

/// What the kubelet is called among the node's programs.
pub(super) const KUBELET: &str = "kubelet";

/// What process 1 of a node does.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Order {
    pub(super) folder: PathBuf,
    /// Folders of the node and the places where its programs look for them.
    pub(super) binds: Vec<(PathBuf, PathBuf)>,
    /// In the order of their start.
    pub(super) programs: Vec<Program>,
    pub(super) busy_share: Option<f64>,
    pub(super) capacity: Capacity,
}

/// Where a node is.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) name: String,
    pub(crate) folder: PathBuf,
    pub(crate) address: Ipv4Addr,
    /// The addresses of its pods.
    pub(crate) pods: String,
    /// The certificate of the cluster's authority.
    pub(crate) authority: PathBuf,
    /// That of the containers that only behave, without its ending.
    pub(crate) played: PathBuf,
}

/// Who the node is to the API server, and to those who call it.
#[derive(Debug)]
pub(crate) struct Identity {
    pub(crate) kubeconfig: String,
    pub(crate) certificate: String,
    pub(crate) key: String,
}

impl Place {
    /// The node with this number, counted from 1.
    pub(crate) fn numbered(number: u8, folder: &Path) -> Self {
        let name = format!("node-{number}");
        Self {
            folder: folder.join("nodes").join(&name),
            name,
            address: address(number),
            pods: format!("10.244.{number}.0/24"),
            authority: folder.join("ca.crt"),
            played: folder.join("played"),
        }
    }

    pub(super) fn socket(&self) -> PathBuf {
        self.folder.join("runtime.sock")
    }
}

/// A node's address on the bridge, after that of the bridge itself.
pub(crate) fn address(number: u8) -> Ipv4Addr {
    Ipv4Addr::new(10, 244, 0, number.saturating_add(1))
}

/// Writes the node's files; gives the program that is the node.
pub(crate) fn write(
    place: &Place,
    settings: &NodeSettings,
    identity: &Identity,
    programs: (&Path, &Path, Option<&Path>),
) -> io::Result<Program> {
    let (own, kubelet_path, images) = programs;
    std::fs::create_dir_all(&place.folder)?;
    let file = |name: &str| place.folder.join(name);
    std::fs::write(file("kubeconfig"), &identity.kubeconfig)?;
    std::fs::write(file("kubelet.crt"), &identity.certificate)?;
    std::fs::write(file("kubelet.key"), &identity.key)?;
    std::fs::write(file("kubelet.json"), kubelet::configuration(place, settings).to_string())?;
    let runtime = Program::new(RUNTIME, own, runtime_arguments(place, images));
    let kubelet = Program::new(KUBELET, kubelet_path, kubelet::arguments(place, settings));
    let order = Order {
        folder: place.folder.clone(),
        // Each node has its own of the folders whose names are fixed in the kubelet.
        binds: vec![
            (file("var-lib-kubelet"), PathBuf::from("/var/lib/kubelet")),
            (file("var-log"), PathBuf::from("/var/log")),
            (file("containers"), PathBuf::from(STATE)),
        ],
        programs: vec![
            runtime.ready_by(Readiness::Socket(place.socket())),
            kubelet.ready_by(Readiness::Notice),
        ],
        busy_share: settings.busy_share,
        capacity: settings.capacity,
    };
    std::fs::write(file("order.json"), serde_json::to_string(&order)?)?;
    let arguments = ["--mount", "--pid", "--fork", "--kill-child"].map(str::to_owned).into_iter();
    let node = [own.display().to_string(), "node".to_owned(), file("order.json").display().to_string()];
    Ok(Program::new(&place.name, "unshare", arguments.chain(node).collect()).ready_by(Readiness::Notice))
}

fn runtime_arguments(place: &Place, images: Option<&Path>) -> Vec<String> {
    let mut arguments = vec![
        "runtime".to_owned(),
        format!("--socket={}", place.socket().display()),
        format!("--state={STATE}"),
        format!("--node-name={}", place.name),
        format!("--node-address={}", place.address),
        format!("--pod-cidr={}", place.pods),
        format!("--kubeconfig={}", place.folder.join("kubeconfig").display()),
        format!("--authority={}", place.played.display()),
        format!("--machine={}", place.folder.join(root::MACHINE).display()),
    ];
    arguments.extend(images.map(|images| format!("--images={}", images.display())));
    let folders = crate::programs::folders();
    arguments.extend(folders.iter().map(|folder| format!("--programs={}", folder.display())));
    arguments
}
