//! Why promises could not be compared with the real tools.

use crate::audit::TrailError;
use crate::cluster::ClusterError;
use crate::programs::ProgramError;
use std::path::PathBuf;

/// The comparison itself failed; a broken promise is no failure but an outcome.
#[derive(Debug, thiserror::Error)]
pub enum PromiseError {
    /// The cluster.
    #[error(transparent)]
    Cluster(#[from] ClusterError),
    /// Its audit log.
    #[error(transparent)]
    Trail(#[from] TrailError),
    /// A real program is missing.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// A file or folder of a case.
    #[error("{}: {cause}; is there room on the disk?", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        cause: std::io::Error,
    },
    /// A program of a case could not be run.
    #[error("{program}: {cause}; is it installed and executable?")]
    Run {
        /// Which.
        program: String,
        /// Why.
        cause: std::io::Error,
    },
    /// The policy that refuses labelled objects does not come into force.
    #[error(
        "the policy that refuses labelled objects is not in force after 30 s; the last answer was: {answer}"
    )]
    Policy {
        /// What kubectl said.
        answer: String,
    },
    /// A program of a case failed where it must not.
    #[error("{program} failed: {answer}")]
    Refused {
        /// Which.
        program: String,
        /// What it said.
        answer: String,
    },
}
