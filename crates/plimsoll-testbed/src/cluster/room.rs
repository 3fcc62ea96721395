//! The room a cluster lives in: a folder that vanishes with it, ports of its own, and a network of its own where
//! namespaces are to be had.

use super::options::Isolation;
use crate::{node, workplace};
use rustix::mount::{MountFlags, MountPropagationFlags, mount, mount_change};
use std::fs::File;
use std::io::{self, Write as _};
use std::net::{Ipv4Addr, SocketAddrV4, TcpListener};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The folder inside a mount namespace; seen from outside it lies under `/proc/PID/root`.
const FOLDER: &str = "/run/plimsoll";

/// Where everything of one cluster lies and listens.
#[derive(Debug)]
pub(super) struct Room {
    pub(super) folder: PathBuf,
    pub(super) isolation: Isolation,
    /// Where the API server listens, and nowhere else: on every address it would take its port from all Services.
    pub(super) api_server: SocketAddrV4,
    pub(super) etcd_port: u16,
    pub(super) peer_port: u16,
    /// Says that a temporary folder is in use; the kernel lets go of the lock when the process ends.
    _lock: Option<File>,
}

impl Room {
    /// Makes the room that fits the isolation this process is already in.
    pub(super) fn make(isolation: Isolation, nodes: u8) -> io::Result<Self> {
        if isolation == Isolation::Plain {
            return Self::plain();
        }
        hide_host_folders()?;
        network(nodes)?;
        let (folder, etcd_port, peer_port) = (PathBuf::from(FOLDER), 2379, 2380);
        let api_server = SocketAddrV4::new(Ipv4Addr::new(10, 96, 0, 1), 443);
        Ok(Self { folder, isolation, api_server, etcd_port, peer_port, _lock: None })
    }

    fn plain() -> io::Result<Self> {
        let (folder, lock) = workplace::locked()?;
        let (etcd_port, peer_port) = (free_port()?, free_port()?);
        let api_server = SocketAddrV4::new(Ipv4Addr::LOCALHOST, free_port()?);
        Ok(Self { folder, isolation: Isolation::Plain, api_server, etcd_port, peer_port, _lock: Some(lock) })
    }

    /// A file of the cluster.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Writes a file that only this user may read: most of them hold keys.
    pub(super) fn write(&self, name: &str, text: &str) -> io::Result<()> {
        use std::os::unix::fs::OpenOptionsExt as _;
        let mut file =
            File::options().create(true).write(true).truncate(true).mode(0o600).open(self.file(name))?;
        file.write_all(text.as_bytes())
    }
}

/// Puts memory over the folders that the programs write to, in this mount namespace only.
fn hide_host_folders() -> io::Result<()> {
    mount_change("/", MountPropagationFlags::DOWNSTREAM | MountPropagationFlags::REC)?;
    mount("proc", "/proc", "proc", MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC, None)?;
    for folder in ["/run", "/var/log"] {
        mount("tmpfs", folder, "tmpfs", MountFlags::NOSUID | MountFlags::NODEV, None)?;
    }
    std::fs::create_dir_all(FOLDER)?;
    Ok(())
}

/// Loopback, the address of the Service `kubernetes`, and the bridge that nodes and pods are on.
fn network(nodes: u8) -> io::Result<()> {
    let mut batch = "link set lo up\n\
                     addr add 10.96.0.1/32 dev lo\n\
                     link add cbr0 type bridge\n\
                     addr add 10.244.0.1/16 dev cbr0\n\
                     link set cbr0 up\n"
        .to_owned();
    for number in 1..=nodes {
        batch.push_str(&["addr add ", &node::address(number).to_string(), "/16 dev cbr0\n"].concat());
    }
    let mut child = Command::new("ip")
        .args(["-batch", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|cause| io::Error::new(cause.kind(), format!("ip (iproute2): {cause}")))?;
    if let Some(mut input) = child.stdin.take() {
        input.write_all(batch.as_bytes())?;
    }
    let output = child.wait_with_output()?;
    if output.status.success() {
        return Ok(());
    }
    Err(io::Error::other(format!("ip -batch: {}", String::from_utf8_lossy(&output.stderr).trim())))
}

/// A port that nobody listens on at this moment.
fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}
