//! Why a cluster could not be had, and what to do about it.

use crate::programs::ProgramError;
use std::io;
use std::path::PathBuf;

/// Why a cluster could not be had.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// A program that it needs is not to be had.
    #[error(transparent)]
    Missing(#[from] ProgramError),
    /// A program could not be run.
    #[error("{program} could not be run: {cause}")]
    Program {
        /// Which one.
        program: String,
        /// Why.
        cause: io::Error,
    },
    /// A file of the cluster could not be read or written.
    #[error("{}: {cause}", path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// The cluster did not become ready.
    #[error("cluster {name} did not start: {cause}")]
    Start {
        /// Which one.
        name: String,
        /// What was at fault, with the last lines that it printed.
        cause: String,
    },
    /// Something was asked for that cannot be had in this way of keeping a cluster apart.
    #[error("{what} needs root: run it as root, or ask for no nodes")]
    NeedsRoot {
        /// What was asked for.
        what: &'static str,
    },
    /// What a test has made could not be removed.
    #[error("cluster {name} could not be cleaned: {cause}; start a new one")]
    Clean {
        /// Which one.
        name: String,
        /// Why.
        cause: io::Error,
    },
    /// The supervisor could not be told something.
    #[error("cluster {name} does not listen any more: {cause}")]
    Gone {
        /// Which one.
        name: String,
        /// Why.
        cause: io::Error,
    },
}
