//! Volumes for claims: a folder for each, made and removed as a real external provisioner does it.
//!
//! `plimsoll-testbed provisioner --kubeconfig FILE --folder FOLDER` runs wherever the kubelets see the same `FOLDER` (the
//! cluster's own file system), from the moment the API server answers until it is ended. It makes the classes `standard`
//! (the default, `WaitForFirstConsumer`) and `immediate`, and a `hostPath` volume for each claim of a class whose
//! `provisioner` is `plimsoll.dev/folder`. A volume for a pod that is being scheduled is bound to that pod's node.
//!
//! When to act is decided as by sigs.k8s.io/sig-storage-lib-external-provisioner v13.0.0, `controller/controller.go`
//! (`shouldProvision`, `provisionClaimOperation`, `shouldDelete`, `deleteVolumeOperation`), which real provisioners are
//! built on; binding is done by the controller manager in any case.

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
