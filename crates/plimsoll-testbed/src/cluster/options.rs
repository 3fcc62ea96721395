//! What can be asked of a cluster.

use crate::node::NodeSettings;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// What a cluster shall be like.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Options {
    /// What it is called in messages and by `status`.
    pub name: String,
    /// The version of the control plane, `v1.36.4`.
    pub version: String,
    /// Real nodes, each with the real kubelet: `node-1`, `node-2`, …
    pub nodes: u8,
    /// What certain nodes shall be like, by their names.
    pub node_settings: BTreeMap<String, NodeSettings>,
    /// Nodes that only exist as objects, for scale.
    pub kwok: u32,
    /// Which image is which local program; without it every image is unknown.
    pub images: Option<PathBuf>,
    /// How much of each request the audit log keeps.
    pub audit: AuditLevel,
    /// A Unix socket that takes the API server's calls to webhooks and aggregated APIs as `CONNECT` requests.
    pub egress_socket: Option<PathBuf>,
    /// More arguments for the API server; of two the later one wins.
    pub api_server_arguments: Vec<String>,
    /// More arguments for the controller manager.
    pub controller_arguments: Vec<String>,
    /// How it is kept apart from this machine; without a wish the strongest way that is to be had.
    pub isolation: Option<Isolation>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            name: format!("test-{}", std::process::id()),
            version: crate::programs::KUBERNETES.to_owned(),
            nodes: 0,
            node_settings: BTreeMap::new(),
            kwok: 0,
            images: None,
            audit: AuditLevel::Metadata,
            egress_socket: None,
            api_server_arguments: Vec::new(),
            controller_arguments: Vec::new(),
            isolation: None,
        }
    }
}

/// How much of each request the audit log keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AuditLevel {
    /// Who, what, when, and the status of the answer.
    Metadata,
    /// Also the object that was sent.
    Request,
    /// Also the object that came back.
    RequestResponse,
}

/// How a cluster is kept apart from this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Isolation {
    /// Process, mount and network namespaces of its own; needs root. The only way to have real nodes.
    Root,
    /// The same in a user namespace, for everybody where the kernel allows it; no real nodes.
    User,
    /// Plain processes on this machine's loopback and a temporary folder; no real nodes.
    Plain,
}

impl Isolation {
    /// The strongest one that this process may use.
    #[must_use]
    pub fn strongest() -> Self {
        static STRONGEST: OnceLock<Isolation> = OnceLock::new();
        *STRONGEST.get_or_init(|| match rustix::process::geteuid().is_root() {
            // Root of a container may be root of nothing.
            true if may_unshare(&[]) => Self::Root,
            false if may_unshare(&["--map-root-user"]) => Self::User,
            _ => Self::Plain,
        })
    }

    /// What cannot be shown this way, for the user to know.
    #[must_use]
    pub fn limits(self) -> Option<&'static str> {
        match self {
            Self::Root => None,
            Self::User => {
                Some("not root: no real nodes, so no kubelet, no pod network and no container is shown")
            }
            Self::Plain => Some(
                "not root and no user namespaces: no real nodes, so no kubelet, no pod network and no container is \
                 shown; a folder may stay behind if everything is killed at once, and the next start clears it",
            ),
        }
    }
}

fn may_unshare(arguments: &[&str]) -> bool {
    let mut command = Command::new("unshare");
    command.args(arguments).args(["--mount", "--net", "--pid", "--fork", "true"]);
    command.stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}
