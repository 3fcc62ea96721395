//! What the runtime tells a container's process 1, and a process that enters the container later.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A container to be started.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Specification {
    /// Where the machine's files are.
    pub machine: PathBuf,
    /// The folder for the upper layer of its files.
    pub folder: PathBuf,
    /// The namespaces of its pod, to be entered first.
    pub namespaces: Vec<PathBuf>,
    /// What stands where, in this order.
    pub mounts: Vec<Mount>,
    /// Whether its own files may not be changed.
    pub read_only: bool,
    /// What runs in it.
    pub entry: Entry,
}

/// A file or folder of the machine that stands in the container.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mount {
    /// On the machine.
    pub from: PathBuf,
    /// In the container.
    pub to: PathBuf,
    /// Whether it may not be changed.
    pub read_only: bool,
}

/// A program to be run in the container.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Entry {
    /// The program and its arguments.
    pub words: Vec<String>,
    /// All its variables.
    pub environment: Vec<(String, String)>,
    /// Where it starts.
    pub working_folder: PathBuf,
    /// As whom.
    pub identity: Identity,
    /// Whether it has a terminal, which is its standard input then.
    pub terminal: bool,
}

/// As whom a process runs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// A number or a name, with a group after a colon if there is one.
    pub user: String,
    /// The primary group, if the pod says one.
    pub group: Option<u32>,
    /// Groups besides.
    pub groups: Vec<u32>,
    /// Whether it keeps all of root's rights.
    pub privileged: bool,
    /// Rights the pod adds to the usual ones, without `CAP_`.
    pub added: Vec<String>,
    /// Rights the pod drops; `ALL` for all.
    pub dropped: Vec<String>,
}
