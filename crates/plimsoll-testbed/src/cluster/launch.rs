//! Starts the supervisor of a cluster in namespaces of its own and hears what it reports.

use super::failure::ClusterError;
use super::messages::{Order, Report, Wish};
use super::options::{Isolation, Options};
use super::running::Running;
use crate::programs::{self, Program};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, Write as _};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

/// A supervisor that was started, and the line to it.
#[derive(Debug)]
pub(super) struct Launched {
    name: String,
    /// The process that holds the namespaces open, or the supervisor itself.
    outer: Option<Child>,
    line: UnixStream,
    pub(super) isolation: Isolation,
    pub(super) running: Running,
    pub(super) inside_folder: PathBuf,
    pub(super) address: SocketAddr,
}

/// How often a cluster is started whose ports others take before it does.
const TRIES: usize = 3;

/// Starts a cluster and waits until it is ready; with it comes the place of `kubectl`.
pub(super) fn launch(
    options: &Options,
    progress: &mut dyn FnMut(&str),
) -> Result<(Launched, PathBuf), ClusterError> {
    for _ in 1..TRIES {
        match attempt(options, progress) {
            // Without a network of its own it takes ports that were free a moment ago.
            Err(ClusterError::Start { cause, .. }) if cause.contains("address already in use") => {
                progress("another program has taken a port: trying again with others");
            }
            outcome => return outcome,
        }
    }
    attempt(options, progress)
}

fn attempt(options: &Options, progress: &mut dyn FnMut(&str)) -> Result<(Launched, PathBuf), ClusterError> {
    let isolation = options.isolation.unwrap_or_else(Isolation::strongest);
    if options.nodes > 0 && isolation != Isolation::Root {
        return Err(ClusterError::NeedsRoot { what: "a real node" });
    }
    let programs = programs(options, progress)?;
    let kubectl = programs.get("kubectl").cloned().unwrap_or_default();
    let starting =
        |cause: io::Error| ClusterError::Start { name: options.name.clone(), cause: cause.to_string() };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(starting)?;
    let address = listener.local_addr().map_err(starting)?;
    let (line, other) = UnixStream::pair().map_err(starting)?;
    // A file without a name: what the processes complain of before they can report, gone when it is closed.
    let complaints = tempfile::tempfile().map_err(starting)?;
    let outer = command(isolation, &own_program()?, &options.name)
        .stdin(OwnedFd::from(listener))
        .stdout(OwnedFd::from(other))
        .stderr(complaints.try_clone().map_err(starting)?)
        .spawn()
        .map_err(|cause| ClusterError::Program { program: "unshare (util-linux)".to_owned(), cause })?;
    let mut launched = Launched {
        name: options.name.clone(),
        outer: Some(outer),
        line,
        isolation,
        running: Running::new(&options.name, 0),
        inside_folder: PathBuf::new(),
        address,
    };
    let order = Order { options: options.clone(), isolation, programs, address };
    launched.say(&order)?;
    launched.hear_until_ready(complaints, progress)?;
    Ok((launched, kubectl))
}

impl Launched {
    /// Lets the cluster live on without this process.
    pub(super) fn detach(mut self) -> Result<Running, ClusterError> {
        self.say(&Wish::Detach)?;
        // The answer: from here on the line may break.
        let line = self.line.try_clone().map_err(|cause| self.gone(cause))?;
        BufReader::new(line).read_line(&mut String::new()).map_err(|cause| self.gone(cause))?;
        // Not waited for: it outlives this process.
        self.outer = None;
        Ok(self.running.clone())
    }

    fn gone(&self, cause: io::Error) -> ClusterError {
        ClusterError::Gone { name: self.name.clone(), cause }
    }

    fn say(&mut self, message: &impl serde::Serialize) -> Result<(), ClusterError> {
        let mut text = serde_json::to_vec(message).map_err(|cause| self.gone(cause.into()))?;
        text.push(b'\n');
        (&self.line).write_all(&text).map_err(|cause| self.gone(cause))
    }

    fn hear_until_ready(
        &mut self,
        complaints: File,
        progress: &mut dyn FnMut(&str),
    ) -> Result<(), ClusterError> {
        let failed = |cause: String| ClusterError::Start { name: self.name.clone(), cause };
        let line = self.line.try_clone().map_err(|cause| failed(cause.to_string()))?;
        for text in BufReader::new(line).lines().map_while(Result::ok) {
            match serde_json::from_str(&text).map_err(|cause| failed(format!("{text}: {cause}")))? {
                Report::Alive { supervisor, folder } => {
                    self.running = Running::new(&self.name, supervisor);
                    self.inside_folder = folder;
                }
                Report::Progress(what) => progress(&what),
                Report::Ready | Report::Detached => return Ok(()),
                Report::Failed(cause) => return Err(failed(cause)),
            }
        }
        Err(failed(complaint(complaints)))
    }
}

impl Drop for Launched {
    /// Breaks the line, which ends the cluster, and waits until the last process is gone.
    fn drop(&mut self) {
        let Some(outer) = &mut self.outer else { return };
        // A line that is broken already has the same effect.
        let _ = self.line.shutdown(Shutdown::Both);
        let _ = outer.wait();
    }
}

fn complaint(mut complaints: File) -> String {
    let mut text = String::new();
    let read = complaints.rewind().and_then(|()| complaints.read_to_string(&mut text));
    match read {
        Ok(0) | Err(_) => "the supervisor ended without a word".to_owned(),
        Ok(_) => text.trim().to_owned(),
    }
}

fn command(isolation: Isolation, own: &Path, name: &str) -> Command {
    // A session of its own: the terminal's signals are for the caller.
    let mut command = Command::new("setsid");
    if isolation != Isolation::Plain {
        command.args([
            "unshare",
            "--mount",
            "--net",
            "--pid",
            "--fork",
            "--kill-child",
            "--propagation=slave",
        ]);
    }
    if isolation == Isolation::User {
        command.arg("--map-root-user");
    }
    command.arg(own).args(["supervise", name]);
    command
}

/// The programs of a cluster with nodes.
pub const PROGRAMS: [&str; 6] =
    ["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubectl", KUBELET];

const KUBELET: &str = "kubelet";

/// Where every program that the options ask for lies.
fn programs(
    options: &Options,
    progress: &mut dyn FnMut(&str),
) -> Result<BTreeMap<String, PathBuf>, ClusterError> {
    let is_needed = |name: &&str| options.nodes > 0 || *name != KUBELET;
    let mut names: Vec<&str> = PROGRAMS.into_iter().filter(is_needed).collect();
    if options.kwok > 0 {
        names.push("kwok");
    }
    let mut found = BTreeMap::new();
    for name in names {
        let program = Program::named(name)?.of_kubernetes(&options.version);
        found.insert(name.to_owned(), program.obtain(progress)?);
    }
    Ok(found)
}

/// This crate's own program, which lies beside the running one or a folder above (tests run in `deps`).
pub(crate) fn own_program() -> Result<PathBuf, ClusterError> {
    let running = std::env::current_exe()
        .map_err(|cause| ClusterError::Program { program: "plimsoll-testbed".to_owned(), cause })?;
    let beside = running.ancestors().skip(1).take(2).map(|folder| folder.join("plimsoll-testbed"));
    beside.into_iter().find(|path| path.is_file()).ok_or_else(|| programs::ProgramError::OwnProgram.into())
}
