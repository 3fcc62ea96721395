//! The provisioner as a process of its own.

use super::{Failure, PROVISIONER, Provisioner, claim, classes, volume};
use crate::connection::{self, ConnectionError};
use futures::StreamExt as _;
use k8s_openapi::api::core::v1::{PersistentVolume, PersistentVolumeClaim};
use kube::Api;
use kube::runtime::controller::{Action, Controller};
use kube::runtime::events::{Recorder, Reporter};
use kube::runtime::watcher;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// How soon a failure is tried again. Real provisioners begin with 15 s; nobody learns from waiting here.
const AGAIN: Duration = Duration::from_secs(1);

/// Makes volumes for claims.
#[derive(Clone, Debug, clap::Args)]
pub struct ProvisionerSettings {
    /// How the API server is reached from here
    #[arg(long, value_name = "FILE")]
    pub kubeconfig: PathBuf,
    /// Where volumes are made; every kubelet must see it at the same path
    #[arg(long, value_name = "FOLDER")]
    pub folder: PathBuf,
}

/// The provisioner could not be started.
#[derive(Debug, thiserror::Error)]
pub enum ProvisionerError {
    /// The kubeconfig cannot be used.
    #[error(transparent)]
    Kubeconfig(#[from] ConnectionError),
    /// The folder cannot be made.
    #[error("folder for volumes {}: {cause}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        cause: std::io::Error,
    },
    /// The API server did not take a class.
    #[error("StorageClass {name}: {cause}")]
    Class {
        /// Its name.
        name: String,
        /// Why.
        cause: Box<kube::Error>,
    },
}

impl ProvisionerSettings {
    /// Runs until the process is ended.
    ///
    /// The classes are `standard` (the default, `WaitForFirstConsumer`) and `immediate`. Each claim of a class whose
    /// `provisioner` is [`PROVISIONER`] gets a `hostPath` volume; one for a pod that is being scheduled is bound to that
    /// pod's node. When to act is decided as by sigs.k8s.io/sig-storage-lib-external-provisioner v13.0.0,
    /// `controller/controller.go` (`shouldProvision`, `provisionClaimOperation`, `shouldDelete`,
    /// `deleteVolumeOperation`), which real provisioners are built on; the controller manager binds, as always.
    pub async fn run(self) -> Result<(), ProvisionerError> {
        let client = connection::client(&self.kubeconfig).await?;
        std::fs::create_dir_all(&self.folder)
            .map_err(|cause| ProvisionerError::Folder { path: self.folder.clone(), cause })?;
        classes::ensure(&client).await?;
        let reporter = Reporter { controller: PROVISIONER.to_owned(), instance: None };
        let events = Recorder::new(client.clone(), reporter);
        let provisioner = Arc::new(Provisioner { client: client.clone(), events, folder: self.folder });
        let claims: Api<PersistentVolumeClaim> = Api::all(client.clone());
        let volumes: Api<PersistentVolume> = Api::all(client);
        let claims = Controller::new(claims, watcher::Config::default()).run(
            claim::provision,
            |_, _: &Failure, _| Action::requeue(AGAIN),
            Arc::clone(&provisioner),
        );
        let volumes = Controller::new(volumes, watcher::Config::default()).run(
            volume::delete,
            |_, _: &Failure, _| Action::requeue(AGAIN),
            provisioner,
        );
        tokio::select! {
            () = claims.for_each(|_| std::future::ready(())) => {}
            () = volumes.for_each(|_| std::future::ready(())) => {}
            () = crate::lifetime::until_ended() => {}
        }
        Ok(())
    }
}
