//! Why nothing could be measured.

use crate::audit::TrailError;
use crate::cluster::ClusterError;
use crate::operators::OperatorError;
use std::io;
use std::path::PathBuf;

/// Why a delay could not be measured.
#[derive(Debug, thiserror::Error)]
pub enum DelayError {
    /// The cluster did not start, or does not answer.
    #[error(transparent)]
    Cluster(#[from] ClusterError),
    /// An operator could not be installed.
    #[error(transparent)]
    Operator(#[from] OperatorError),
    /// What a scene waits for did not come.
    #[error("{scene}: {cause}")]
    Unseen {
        /// The scene.
        scene: String,
        /// What the audit log says.
        cause: TrailError,
    },
    /// The cluster refuses what a scene sends.
    #[error("{scene}: kubectl says {said}")]
    Refused {
        /// The scene.
        scene: String,
        /// What kubectl printed.
        said: String,
    },
    /// A scene is not written as it must be.
    #[error("scene {scene}: {cause}")]
    Scene {
        /// Which.
        scene: String,
        /// Why.
        cause: String,
    },
    /// A scene ended without an answer.
    #[error("{scene}: its thread panicked")]
    Lost {
        /// Which.
        scene: String,
    },
    /// A file cannot be written.
    #[error("{}: {cause}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
}
