//! What a caller and the supervisor of its cluster say to each other: JSON, one message a line.

use super::options::{Isolation, Options};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;

/// The first line to the supervisor: everything it must know.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Order {
    pub(super) options: Options,
    pub(super) isolation: Isolation,
    /// Where each program lies.
    pub(super) programs: BTreeMap<String, PathBuf>,
    /// Where the caller listens on the cluster's behalf.
    pub(super) address: SocketAddr,
}

/// Later lines to the supervisor.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Wish {
    /// Live on when the caller ends.
    Detach,
}

/// Lines from the supervisor.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Report {
    /// The process as the caller sees it, and the folder as the cluster's own processes see it.
    Alive { supervisor: u32, folder: PathBuf },
    /// What it is at.
    Progress(String),
    /// The cluster can be used.
    Ready,
    /// It lives on when the caller ends.
    Detached,
    /// It cannot be used, and the supervisor ends.
    Failed(String),
}
