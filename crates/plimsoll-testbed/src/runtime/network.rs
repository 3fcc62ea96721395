//! The namespaces and the network of a pod: a network namespace with one link to the node's bridge. Namespaces are held
//! by bind mounts in the pod's folder, which only this cluster's mount namespace has.

use rustix::mount::{UnmountFlags, unmount};
use serde::Deserialize;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tokio::io::AsyncWriteExt;
use tokio::process::Command;

/// The bridge that this node's pods are connected to.
#[derive(Debug, Clone)]
pub(crate) struct Network {
    bridge: String,
    /// The bridge's own address, which is the pods' way out.
    pub(crate) gateway: Ipv4Addr,
    /// How many bits the pods' network has.
    pub(crate) bits: u8,
}

/// What a pod's namespaces shall be like.
#[derive(Debug)]
pub(crate) struct Wanted<'a> {
    /// Where they are held.
    pub(crate) folder: &'a Path,
    /// The pod's address; nothing if it shares the node's network.
    pub(crate) address: Option<Ipv4Addr>,
    /// Its host name; nothing if it shares the node's.
    pub(crate) host_name: Option<&'a str>,
    /// Settings of the kernel.
    pub(crate) settings: &'a HashMap<String, String>,
}

/// A network that cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// A program of the system is missing.
    #[error("{program} cannot be run: {cause}; install iproute2 and util-linux")]
    Missing {
        /// Its name.
        program: String,
        /// What the system said.
        cause: std::io::Error,
    },
    /// A program of the system failed.
    #[error("{program} failed: {message}")]
    Failed {
        /// Its name.
        program: String,
        /// What it said.
        message: String,
    },
    /// There is no such bridge.
    #[error(
        "the bridge {0} has no address; make it first: ip link add {0} type bridge; ip addr add 10.244.0.1/16 dev {0}"
    )]
    NoBridge(String),
}

#[derive(Deserialize)]
struct Link {
    #[serde(default)]
    addr_info: Vec<LinkAddress>,
}

#[derive(Deserialize)]
struct LinkAddress {
    local: Ipv4Addr,
    prefixlen: u8,
}

impl Network {
    /// Looks the bridge up.
    pub(crate) async fn find(bridge: &str) -> Result<Self, NetworkError> {
        let no_bridge = || NetworkError::NoBridge(bridge.to_owned());
        let text = run(Command::new("ip").args(["-json", "-4", "address", "show", "dev", bridge]), "").await;
        let links: Vec<Link> =
            text.ok().and_then(|text| serde_json::from_str(&text).ok()).ok_or_else(no_bridge)?;
        let address = links.into_iter().flat_map(|link| link.addr_info).next().ok_or_else(no_bridge)?;
        Ok(Self { bridge: bridge.to_owned(), gateway: address.local, bits: address.prefixlen })
    }

    /// Makes a pod's namespaces and connects them.
    pub(crate) async fn connect(&self, program: &Path, wanted: &Wanted<'_>) -> Result<(), NetworkError> {
        let mut unshare = Command::new("unshare");
        for (namespace, file) in held(wanted) {
            let created = std::fs::File::create(&file);
            created.map_err(|cause| NetworkError::Failed {
                program: "unshare".to_owned(),
                message: cause.to_string(),
            })?;
            unshare.arg(format!("--{namespace}={}", file.display()));
        }
        unshare.arg(program).arg("pod-init");
        unshare.args(wanted.host_name.map(|name| format!("--host-name={name}")));
        unshare.args(wanted.settings.iter().map(|(name, value)| format!("--setting={name}={value}")));
        let Some(address) = wanted.address else { return run(&mut unshare, "").await.map(drop) };
        let link = link_name(address);
        let mut script = String::from("link set lo up\n");
        // The other end goes straight into the namespace of this process.
        let _ = writeln!(script, "link add eth0 type veth peer name {link} netns {}", std::process::id());
        let _ = writeln!(script, "addr add {address}/{} broadcast + dev eth0\nlink set eth0 up", self.bits);
        let _ = writeln!(script, "route add default via {}", self.gateway);
        run(unshare.arg("--network"), &script).await?;
        run(Command::new("ip").args(["link", "set", &link, "master", &self.bridge, "up"]), "").await.map(drop)
    }
}

/// Lets a pod's namespaces go. With the last process in them the link goes, too.
pub(crate) fn release(folder: &Path) {
    for name in ["net", "ipc", "uts"] {
        // A pod that shares the node's network does not have all of them.
        let _ = unmount(folder.join(name), UnmountFlags::DETACH);
    }
}

/// The files of the namespaces that a container of the pod joins.
#[must_use]
pub(crate) fn held(wanted: &Wanted<'_>) -> Vec<(&'static str, PathBuf)> {
    let named = [("net", wanted.address.is_some()), ("uts", wanted.host_name.is_some()), ("ipc", true)];
    named.into_iter().filter(|(_, own)| *own).map(|(name, _)| (name, wanted.folder.join(name))).collect()
}

/// The pod's link on the node; several nodes may share a bridge, so the address is in it.
fn link_name(address: Ipv4Addr) -> String {
    format!("pod{:08x}", u32::from(address))
}

/// Runs a program to its end; answers what it printed.
async fn run(command: &mut Command, input: &str) -> Result<String, NetworkError> {
    let program = command.as_std().get_program().to_string_lossy().into_owned();
    let missing = |cause| NetworkError::Missing { program: program.clone(), cause };
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    let mut child = command.spawn().map_err(missing)?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(input.as_bytes()).await.map_err(missing)?;
    }
    let output = child.wait_with_output().await.map_err(missing)?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let message = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(NetworkError::Failed { program, message: format!("{} ({message})", output.status) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_have_names_that_the_kernel_takes_and_no_two_pods_share() {
        let name = link_name(Ipv4Addr::new(10, 244, 255, 254));
        assert_eq!(name, "pod0af4fffe");
        assert!(name.len() < 16, "IFNAMSIZ");
    }

    #[test]
    fn a_pod_on_the_nodes_network_holds_no_namespace_of_it() {
        let settings = HashMap::new();
        let wanted = Wanted { folder: Path::new("/p"), address: None, host_name: None, settings: &settings };
        assert_eq!(held(&wanted), [("ipc", PathBuf::from("/p/ipc"))]);
    }
}
