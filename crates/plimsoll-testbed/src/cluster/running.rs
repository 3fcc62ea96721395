//! A cluster that runs, whoever started it: where its files lie, what its programs do, and how it is ended.

use super::failure::ClusterError;
use super::{control_plane, kubeconfig};
use crate::processes::{self, ControlError, State};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A cluster that runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Running {
    name: String,
    supervisor: u32,
    folder: PathBuf,
}

impl Running {
    /// The cluster that this process holds together.
    pub(super) fn new(name: &str, supervisor: u32) -> Self {
        // The supervisor works in the cluster's folder, and /proc leads there through every namespace.
        Self { name: name.to_owned(), supervisor, folder: PathBuf::from(format!("/proc/{supervisor}/cwd")) }
    }

    /// What it is called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The process that holds it together, as this process sees it.
    #[must_use]
    pub fn supervisor(&self) -> u32 {
        self.supervisor
    }

    /// Where it keeps its files, seen from outside; they are readable while it lives.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// An empty folder among its files, for what is only needed while it lives: gone with the value or with the cluster.
    pub fn workplace(&self) -> Result<TempDir, ClusterError> {
        TempDir::with_prefix_in("workplace-", &self.folder)
            .map_err(|cause| ClusterError::File { path: self.folder.clone(), cause })
    }

    /// A kubeconfig with all rights, usable from anywhere on this machine while the cluster lives.
    #[must_use]
    pub fn kubeconfig_path(&self) -> PathBuf {
        self.folder.join(kubeconfig::OUTSIDE)
    }

    /// Where kubectl may keep what it has discovered (`KUBECACHEDIR`), so that it goes with the cluster.
    #[must_use]
    pub fn cache_path(&self) -> PathBuf {
        self.folder.join("discovered")
    }

    /// The text of that kubeconfig; certificates and keys stand in it.
    pub fn kubeconfig(&self) -> Result<String, ClusterError> {
        read(&self.kubeconfig_path())
    }

    /// Every request and its answer, one JSON object a line, as the API server writes it.
    #[must_use]
    pub fn audit_log(&self) -> PathBuf {
        self.folder.join(control_plane::AUDIT_LOG)
    }

    /// What a program (`kube-apiserver`, `etcd`, `node-1/kubelet`, …) has printed so far.
    pub fn logs(&self, program: &str) -> Result<String, ClusterError> {
        read(&match program.split_once('/') {
            Some((node, program)) => self.node_folder(node).join("logs").join(format!("{program}.log")),
            None => self.folder.join("logs").join(format!("{program}.log")),
        })
    }

    /// Every program, those of nodes as `node-1/kubelet`, and whether it runs.
    pub fn states(&self) -> Result<BTreeMap<String, State>, ControlError> {
        let mut all = processes::ask_states(&self.folder)?;
        let nodes: Vec<String> =
            all.iter().filter(|(_, state)| **state == State::Running).map(|(name, _)| name.clone()).collect();
        for node in nodes.iter().filter(|name| self.node_folder(name).exists()) {
            let programs = processes::ask_states(&self.node_folder(node))?;
            all.extend(programs.into_iter().map(|(program, state)| (format!("{node}/{program}"), state)));
        }
        Ok(all)
    }

    /// Ends a program at once, as a crash would; it stays down until [`Running::start_program`].
    pub fn stop_program(&self, program: &str) -> Result<(), ControlError> {
        let (folder, program) = self.holder(program);
        processes::ask_stop(&folder, program)
    }

    /// Starts a program that is down and waits until it is ready.
    pub fn start_program(&self, program: &str) -> Result<(), ControlError> {
        let (folder, program) = self.holder(program);
        processes::ask_start(&folder, program)
    }

    /// Cuts the power of a node and boots it again: its processes and what they held in memory are gone.
    pub fn reboot_node(&self, node: &str) -> Result<(), ControlError> {
        self.stop_program(node)?;
        self.start_program(node)
    }

    /// Whether it lives on without the process that started it.
    #[must_use]
    pub fn is_detached(&self) -> bool {
        self.folder.join(super::supervisor::DETACHED).exists()
    }

    /// Ends it, and waits until its last process is gone.
    pub fn end(&self) -> Result<(), ClusterError> {
        let gone =
            |cause: rustix::io::Errno| ClusterError::Gone { name: self.name.clone(), cause: cause.into() };
        let Some(process) = i32::try_from(self.supervisor).ok().and_then(Pid::from_raw) else {
            return Ok(());
        };
        let handle = pidfd_open(process, PidfdFlags::empty()).map_err(gone)?;
        let folder = std::fs::read_link(&self.folder).unwrap_or_default();
        kill_process(process, Signal::KILL).map_err(gone)?;
        // Process 1 of a namespace is not gone before all others in it are.
        poll(&mut [PollFd::new(&handle, PollFlags::IN)], None).map_err(gone)?;
        crate::workplace::clear(&folder);
        Ok(())
    }

    fn node_folder(&self, node: &str) -> PathBuf {
        self.folder.join("nodes").join(node)
    }

    fn holder<'a>(&self, program: &'a str) -> (PathBuf, &'a str) {
        match program.split_once('/') {
            Some((node, program)) => (self.node_folder(node), program),
            None => (self.folder.clone(), program),
        }
    }
}

/// All clusters of this user that run; for root, all of this machine.
#[must_use]
pub fn running() -> Vec<Running> {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let mut found: Vec<Running> = processes
        .filter_map(|entry| {
            let process = entry.file_name().to_string_lossy().parse().ok()?;
            let line = std::fs::read(entry.path().join("cmdline")).ok()?;
            let words: Vec<String> = line
                .split(|byte| *byte == 0)
                .map(|word| String::from_utf8_lossy(word).into_owned())
                .collect();
            let [program, command, name, ..] = words.as_slice() else { return None };
            let is_ours = program.ends_with("/plimsoll-testbed") && command == "supervise";
            // One of another user cannot be looked into.
            (is_ours && entry.path().join("cwd").exists()).then(|| Running::new(name, process))
        })
        .collect();
    found.sort_by(|one, other| one.name.cmp(&other.name));
    found
}

pub(super) fn read(path: &Path) -> Result<String, ClusterError> {
    std::fs::read_to_string(path).map_err(|cause| ClusterError::File { path: path.to_owned(), cause })
}
