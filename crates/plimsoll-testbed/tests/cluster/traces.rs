//! What a cluster has on this machine, taken while it lives, to be looked for when it is gone.

use plimsoll_testbed::cluster::Running;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use std::collections::BTreeSet;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

/// What a cluster has on this machine.
pub(crate) struct Traces {
    /// Its processes, and the one outside that holds its namespaces open.
    processes: Vec<(u32, OwnedFd)>,
    /// Its process, mount and network namespaces, where they are not this process's own.
    namespaces: BTreeSet<PathBuf>,
    folder: PathBuf,
    mounts: String,
}

impl Traces {
    pub(crate) fn of(cluster: &Running) -> Self {
        let own = namespaces(Path::new("/proc/self"));
        let root = PathBuf::from(format!("/proc/{}", cluster.supervisor()));
        // Containers have namespaces of their own; they are found by their parents.
        let below = descendants(cluster.supervisor());
        let all = below.iter().map(|process| PathBuf::from(format!("/proc/{process}"))).chain([root]);
        let all: BTreeSet<PathBuf> = all.flat_map(|process| namespaces(&process)).collect();
        let theirs: BTreeSet<PathBuf> = all.difference(&own).cloned().collect();
        let is_theirs = |process: &u32| is_within(*process, &theirs) || *process == cluster.supervisor();
        let processes: Vec<_> = all_processes()
            .into_iter()
            .filter(is_theirs)
            .filter_map(|one| Some((one, handle(one)?)))
            .collect();
        assert!(
            theirs.is_empty() || processes.len() >= 5,
            "etcd, three programs, the supervisor: {processes:?}"
        );
        let folder = std::fs::read_link(cluster.folder()).expect("a folder");
        Self { processes, namespaces: theirs, folder, mounts: mounts() }
    }

    /// Waits for the end of each process, then looks for everything else.
    pub(crate) fn assert_gone(self) {
        let began = ticks_since_boot();
        for (process, handle) in &self.processes {
            assert_ended(*process, handle);
        }
        // The numbers of namespaces are used again: whatever has started since belongs to another cluster.
        let is_left = |process: &u32| {
            is_within(*process, &self.namespaces) && started(*process).is_some_and(|start| start <= began)
        };
        let inside: Vec<_> = all_processes().into_iter().filter(is_left).collect();
        assert!(inside.is_empty(), "processes are left in its namespaces: {inside:?}");
        let now = mounts();
        let ours: Vec<&str> =
            now.lines().filter(|line| line.contains("plimsoll") && !self.mounts.contains(*line)).collect();
        assert!(ours.is_empty(), "mounts are left: {ours:?}");
        assert!(!self.folder.exists(), "{} is left", self.folder.display());
    }
}

/// Waits for the end of a process.
pub(crate) fn assert_ended(process: u32, handle: &OwnedFd) {
    let patience = Timespec { tv_sec: 20, tv_nsec: 0 };
    let ended = poll(&mut [PollFd::new(handle, PollFlags::IN)], Some(&patience));
    assert_eq!(ended, Ok(1), "process {process} is left");
}

pub(crate) fn handle(process: u32) -> Option<OwnedFd> {
    pidfd_open(Pid::from_raw(i32::try_from(process).ok()?)?, PidfdFlags::empty()).ok()
}

fn namespaces(process: &Path) -> BTreeSet<PathBuf> {
    ["pid", "mnt", "net"]
        .iter()
        .filter_map(|kind| std::fs::read_link(process.join("ns").join(kind)).ok())
        .collect()
}

fn is_within(process: u32, theirs: &BTreeSet<PathBuf>) -> bool {
    !namespaces(&PathBuf::from(format!("/proc/{process}"))).is_disjoint(theirs)
}

/// Hundredths of a second since the machine was started.
fn ticks_since_boot() -> u64 {
    let uptime = std::fs::read_to_string("/proc/uptime").expect("uptime");
    let (seconds, hundredths) =
        uptime.split_once(' ').and_then(|(up, _)| up.split_once('.')).expect("a time");
    seconds.parse::<u64>().expect("seconds") * 100 + hundredths.parse::<u64>().expect("hundredths")
}

/// When a process was started, in the same unit; nothing if it is gone.
fn started(process: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (_, behind_name) = stat.rsplit_once(')')?;
    behind_name.split_whitespace().nth(19)?.parse().ok()
}

/// The processes that a process has started, and those that they have started.
fn descendants(process: u32) -> BTreeSet<u32> {
    let parents: Vec<(u32, u32)> =
        all_processes().into_iter().filter_map(|one| Some((one, parent(one)?))).collect();
    let mut found = BTreeSet::from([process]);
    loop {
        let known = found.len();
        let children = parents.iter().filter(|(_, parent)| found.contains(parent)).map(|(one, _)| *one);
        found.extend(children.collect::<Vec<_>>());
        if found.len() == known {
            return found;
        }
    }
}

/// The process that started a process; nothing if it is gone.
fn parent(process: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (_, behind_name) = stat.rsplit_once(')')?;
    behind_name.split_whitespace().nth(1)?.parse().ok()
}

pub(crate) fn all_processes() -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").expect("/proc").flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

fn mounts() -> String {
    std::fs::read_to_string("/proc/self/mountinfo").expect("mounts")
}
