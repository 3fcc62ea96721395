//! The way to the API server that a kubeconfig describes.

use kube::config::{KubeConfigOptions, Kubeconfig};
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// A kubeconfig cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("kubeconfig {}: {cause}", path.display())]
pub struct ConnectionError {
    path: PathBuf,
    cause: String,
}

/// A client for the current context of a kubeconfig; whether the API server answers is not asked.
pub(crate) async fn client(path: &Path) -> Result<kube::Client, ConnectionError> {
    let failure = |cause: &dyn Display| ConnectionError { path: path.to_owned(), cause: cause.to_string() };
    let kubeconfig = Kubeconfig::read_from(path).map_err(|cause| failure(&cause))?;
    let config = kube::Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default())
        .await
        .map_err(|cause| failure(&cause))?;
    kube::Client::try_from(config).map_err(|cause| failure(&cause))
}
