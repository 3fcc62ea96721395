//! A bare parallel client: how many requests a second a control plane takes, and how many pods its nodes start. What any
//! deploy tool is measured against.

mod pods;

pub use pods::start_pods;

use crate::ConnectionError;
use futures::future::try_join_all;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{Api, DeleteParams, ListParams, PostParams};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long the requests of each kind took.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// To create the objects.
    pub create: Duration,
    /// To read each of them.
    pub read: Duration,
}

/// The load could not be put on.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The kubeconfig is of no use.
    #[error(transparent)]
    Connection(#[from] ConnectionError),
    /// The API server refused a request.
    #[error("the API server refused a request: {0}")]
    Refused(#[from] Box<kube::Error>),
    /// The API server does not let pods be watched.
    #[error("the pods cannot be watched: {0}")]
    Watch(#[from] Box<kube::runtime::watcher::Error>),
    /// Something did not happen in time.
    #[error("waited in vain for {what}; `kubectl describe pods -l plimsoll=load` says more")]
    Late {
        /// What was waited for.
        what: &'static str,
    },
}

/// Creates and reads that many ConfigMaps in the namespace `default`, some at a time, and deletes them again.
pub async fn put_on(kubeconfig: &Path, objects: usize, workers: usize) -> Result<Load, LoadError> {
    let client = crate::connection::client(kubeconfig).await?;
    let all: Api<ConfigMap> = Api::default_namespaced(client);
    let share = |worker: usize| (worker..objects).step_by(workers);
    let began = Instant::now();
    try_join_all((0..workers).map(|worker| create(all.clone(), share(worker)))).await?;
    let create = began.elapsed();
    let began = Instant::now();
    try_join_all((0..workers).map(|worker| read(all.clone(), share(worker)))).await?;
    let read = began.elapsed();
    let ours = ListParams::default().labels("plimsoll=load");
    all.delete_collection(&DeleteParams::default(), &ours).await.map_err(Box::new)?;
    Ok(Load { create, read })
}

async fn create(all: Api<ConfigMap>, numbers: impl Iterator<Item = usize>) -> Result<(), Box<kube::Error>> {
    for number in numbers {
        let mut object = ConfigMap {
            data: Some(BTreeMap::from([("key".into(), "value".into())])),
            ..ConfigMap::default()
        };
        object.metadata.name = Some(format!("load-{number}"));
        object.metadata.labels = Some(BTreeMap::from([("plimsoll".into(), "load".into())]));
        all.create(&PostParams::default(), &object).await.map_err(Box::new)?;
    }
    Ok(())
}

async fn read(all: Api<ConfigMap>, numbers: impl Iterator<Item = usize>) -> Result<(), Box<kube::Error>> {
    for number in numbers {
        all.get(&format!("load-{number}")).await.map_err(Box::new)?;
    }
    Ok(())
}
