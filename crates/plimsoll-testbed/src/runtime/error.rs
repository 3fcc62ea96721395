//! Why the runtime cannot do what the kubelet asks.

use super::network::NetworkError;
use super::table::TableError;
use tonic::Status;

/// A call that failed.
#[derive(Debug, thiserror::Error)]
pub enum RuntimeError {
    /// There is no such pod or container.
    #[error("{kind} \"{id}\" not found")]
    NotFound {
        /// Which kind of thing.
        kind: &'static str,
        /// Its identifier.
        id: String,
    },
    /// A call without something it must have.
    #[error("the call lacks {0}")]
    Lacks(&'static str),
    /// The image cannot be pulled, in the words of a real registry.
    #[error("failed to pull and unpack image \"{image}\": failed to resolve reference \"{image}\": {cause}")]
    Pull {
        /// Its name.
        image: String,
        /// Why.
        cause: String,
    },
    /// The table is wrong.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The network is.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// The API server cannot be reached.
    #[error(transparent)]
    Connection(#[from] crate::ConnectionError),
    /// All addresses are in use.
    #[error("no free pod address is left; give the node a larger --pod-cidr")]
    NoAddress,
    /// A program of the table is not on this machine.
    #[error(
        "the program {program} of image {image} is not found; write its path into the image table, or put it on the runtime's PATH or into a --programs folder"
    )]
    NoProgram {
        /// As the table names it.
        program: String,
        /// The image.
        image: String,
    },
    /// The container's process 1 said why not; in the words of containerd v2.1.4 and runc v1.3.0.
    #[error(
        "failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: {0}: unknown"
    )]
    Start(String),
    /// The command could not be executed in a running container; in the words of the same.
    #[error(
        "failed to exec in container: failed to start exec \"{number}\": OCI runtime exec failed: exec failed: unable to start container process: {cause}: unknown"
    )]
    Exec {
        /// Which command it was.
        number: String,
        /// Why.
        cause: String,
    },
    /// The container does not run.
    #[error("container {0} is not running")]
    NotRunning(String),
    /// The command took too long.
    #[error("command {0} timed out")]
    TimedOut(String),
    /// Something of the system's.
    #[error("{step}: {cause}")]
    System {
        /// What was being done.
        step: String,
        /// What the system said.
        cause: std::io::Error,
    },
}

impl RuntimeError {
    /// Names the step in an error of the system.
    pub(super) fn at(step: impl Into<String>) -> impl FnOnce(std::io::Error) -> Self {
        let step = step.into();
        move |cause| Self::System { step, cause }
    }
}

impl From<RuntimeError> for Status {
    fn from(error: RuntimeError) -> Self {
        let message = error.to_string();
        match error {
            RuntimeError::NotFound { .. } | RuntimeError::Pull { .. } => Self::not_found(message),
            RuntimeError::Lacks(_) => Self::invalid_argument(message),
            RuntimeError::TimedOut(_) => Self::deadline_exceeded(message),
            _ => Self::unknown(message),
        }
    }
}
