//! What runs inside a container's namespaces: the set-up of its files, its process 1, and what is executed in it later.
//! These are sub-commands, so that each has one thread and its own process state to change.

mod devices;
mod enter;
mod identity;
mod init;
mod pod;
mod root;
mod specification;

pub use enter::enter;
pub use init::init;
pub use pod::pod;
pub use specification::{Entry, Identity, Mount, Specification};

/// A container, or a command in one, that could not be started.
#[derive(Debug, thiserror::Error)]
pub enum InsideError {
    /// A step failed.
    #[error("{step}: {cause}")]
    Step {
        /// What was being done, with the path or name.
        step: String,
        /// What the system said.
        cause: std::io::Error,
    },
    /// The program is not there, in the words other runtimes use.
    #[error("exec: \"{0}\": executable file not found in $PATH")]
    NotFound(String),
    /// The program is there and is a path, but no file.
    #[error("exec: \"{0}\": stat {0}: no such file or directory")]
    NoFile(String),
    /// Nothing to execute.
    #[error("no command specified")]
    NoCommand,
    /// The runtime said something that is no specification.
    #[error("the specification of the container cannot be read: {0}")]
    Specification(#[from] serde_json::Error),
    /// A user name that the container's files do not have.
    #[error("unable to find user {0}: no matching entries in passwd file")]
    NoUser(String),
}

/// Names the step in an error of the system.
pub(crate) fn step<E: Into<std::io::Error>>(step: impl Into<String>) -> impl FnOnce(E) -> InsideError {
    let step = step.into();
    move |cause| InsideError::Step { step, cause: cause.into() }
}
