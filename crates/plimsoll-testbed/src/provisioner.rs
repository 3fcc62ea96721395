//! Volumes for claims: a folder for each, made and removed when a real external provisioner would.
//! `plimsoll-testbed provisioner --kubeconfig FILE --folder FOLDER` runs from the moment the API server answers until it
//! is ended, where it and the kubelets see the same `FOLDER`.

mod claim;
mod classes;
mod settings;
mod volume;

pub use settings::{ProvisionerError, ProvisionerSettings};

use std::path::PathBuf;

/// The name in a class's `provisioner`.
pub const PROVISIONER: &str = "plimsoll.dev/folder";

/// What provisioning needs.
struct Provisioner {
    client: kube::Client,
    events: kube::runtime::events::Recorder,
    /// Where the folders are made.
    folder: PathBuf,
}

/// A claim or volume could not be served this time; it is tried again.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("{0}")]
    Api(#[from] kube::Error),
    #[error("{0}")]
    Folder(#[from] std::io::Error),
}
