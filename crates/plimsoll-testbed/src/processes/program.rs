//! A program, how it is called, and how one knows that it is ready.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A program that is to run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Program {
    /// What it is called here; its log has this name too.
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) arguments: Vec<String>,
    /// Variables besides those of this process.
    pub(crate) environment: Vec<(String, String)>,
    pub(crate) readiness: Readiness,
}

/// How one knows that a program is ready.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Readiness {
    /// It is not waited for.
    Unknown,
    /// It tells its service manager (`sd_notify`).
    Notice,
    /// It listens on this Unix socket.
    Socket(PathBuf),
}

impl Program {
    /// A program that is not waited for.
    pub(crate) fn new(name: &str, path: impl Into<PathBuf>, arguments: Vec<String>) -> Self {
        let (name, path, environment) = (name.to_owned(), path.into(), Vec::new());
        Self { name, path, arguments, environment, readiness: Readiness::Unknown }
    }

    /// The same with one more variable.
    pub(crate) fn with(mut self, variable: &str, value: &str) -> Self {
        self.environment.push((variable.to_owned(), value.to_owned()));
        self
    }

    /// The same, waited for.
    pub(crate) fn ready_by(mut self, readiness: Readiness) -> Self {
        self.readiness = readiness;
        self
    }
}
