//! Why an operator could not be installed, and what to do about it.

use crate::cluster::ClusterError;
use crate::programs::ProgramError;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Output;

/// Why an operator could not be installed.
#[derive(Debug, thiserror::Error)]
pub enum OperatorError {
    /// No operator has this name.
    #[error("no operator is called {name}; there are: cert-manager, external-secrets, flux")]
    Unknown {
        /// What was asked for.
        name: String,
    },
    /// A program or module is not to be had.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The cluster does not do what is asked.
    #[error(transparent)]
    Cluster(#[from] ClusterError),
    /// A file of a chart cannot be read or written.
    #[error("{}: {cause}", path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// A command failed.
    #[error("{what} failed ({status}): {said}")]
    Command {
        /// What was tried.
        what: String,
        /// How it ended.
        status: String,
        /// What it said.
        said: String,
    },
    /// The thread that installed it is gone.
    #[error("{name} could not be installed: its thread ended early")]
    Lost {
        /// Which operator.
        name: &'static str,
    },
    /// The file server cannot listen.
    #[error("files cannot be served at {address}: {cause}")]
    Serve {
        /// Where.
        address: std::net::SocketAddr,
        /// Why.
        cause: io::Error,
    },
}

impl OperatorError {
    pub(super) fn file(path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |cause| Self::File { path, cause }
    }
}

/// What a command that ended well has printed.
pub(super) fn succeeded(what: &str, output: &Output) -> Result<String, OperatorError> {
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(OperatorError::Command {
        what: what.to_owned(),
        status: output.status.to_string(),
        said: String::from_utf8_lossy(&output.stderr).trim().to_owned(),
    })
}
