//! What can keep the witness from working; a rule that is not confirmed is no failure but an outcome.

use crate::programs::ProgramError;
use std::path::PathBuf;

/// Why nothing could be witnessed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A program could not be run.
    #[error("{program}: {cause}; is it built and executable?")]
    Program {
        /// The program.
        program: String,
        /// What the system says.
        cause: std::io::Error,
    },
    /// A program ended with an error.
    #[error("{program} failed: {said}")]
    Failed {
        /// The program.
        program: String,
        /// What it said.
        said: String,
    },
    /// A program or module is not to be had.
    #[error(transparent)]
    NoProgram(#[from] ProgramError),
    /// A file could not be read or written.
    #[error("{}: {cause}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        cause: std::io::Error,
    },
    /// `plimsoll check` did not answer as it promises to.
    #[error("{example}: plimsoll check gave no report: {cause}")]
    NoReport {
        /// The example that was checked.
        example: String,
        /// What is wrong with the answer.
        cause: String,
    },
    /// The cluster does not do what every play needs.
    #[error("the cluster of {kubeconfig}: {cause}")]
    Cluster {
        /// How it was reached.
        kubeconfig: String,
        /// What it did not do.
        cause: String,
    },
    /// Somebody asked for a rule or row that does not exist.
    #[error(
        "there is no rule and no row of the reference table called {0}; `plimsoll explain` lists the rules"
    )]
    Unknown(String),
}

impl Failure {
    /// A failure to run a program.
    pub(super) fn program(program: &str) -> impl FnOnce(std::io::Error) -> Self {
        let program = program.to_owned();
        move |cause| Self::Program { program, cause }
    }

    /// A failure to read or write a file.
    pub(super) fn file(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |cause| Self::File { path, cause }
    }
}
