//! The Services and EndpointSlices of the cluster as they are now.

use futures::StreamExt as _;
use k8s_openapi::api::core::v1::Service;
use k8s_openapi::api::discovery::v1::EndpointSlice;
use kube::runtime::reflector::{self, Store};
use kube::runtime::{WatchStreamExt as _, watcher};
use kube::{Api, Client, Resource};
use serde::de::DeserializeOwned;
use std::fmt::Debug;
use std::hash::Hash;
use std::sync::Arc;
use tokio::sync::{Notify, watch};

/// What the network is made from.
#[derive(Clone, Debug, Default)]
pub(super) struct Snapshot {
    pub(super) services: Vec<Arc<Service>>,
    pub(super) slices: Vec<Arc<EndpointSlice>>,
}

impl Snapshot {
    /// The Service of this name.
    pub(super) fn service(&self, namespace: &str, name: &str) -> Option<&Service> {
        let named = |service: &&Arc<Service>| {
            service.metadata.name.as_deref() == Some(name)
                && service.metadata.namespace.as_deref() == Some(namespace)
        };
        self.services.iter().find(named).map(AsRef::as_ref)
    }

    /// The IPv4 slices of a Service.
    pub(super) fn slices_of(&self, service: &Service) -> impl Iterator<Item = &EndpointSlice> {
        let (namespace, name) = (service.metadata.namespace.clone(), service.metadata.name.clone());
        self.slices.iter().map(AsRef::as_ref).filter(move |slice| {
            let labels = slice.metadata.labels.as_ref();
            slice.address_type == "IPv4"
                && slice.metadata.namespace == namespace
                && labels.and_then(|labels| labels.get("kubernetes.io/service-name")) == name.as_ref()
        })
    }
}

/// Follows the API server, also through its restarts. Returns when everything is known once.
pub(super) async fn follow(client: Client) -> watch::Receiver<Arc<Snapshot>> {
    let changed = Arc::new(Notify::new());
    let services: Store<Service> = store(client.clone(), Arc::clone(&changed));
    let slices: Store<EndpointSlice> = store(client, Arc::clone(&changed));
    // An error means that nothing will ever be known; then an empty snapshot is what there is.
    let _ = services.wait_until_ready().await;
    let _ = slices.wait_until_ready().await;
    let now = move || Arc::new(Snapshot { services: services.state(), slices: slices.state() });
    let (sender, receiver) = watch::channel(now());
    tokio::spawn(async move {
        while !sender.is_closed() {
            changed.notified().await;
            sender.send_replace(now());
        }
    });
    receiver
}

fn store<Kind>(client: Client, changed: Arc<Notify>) -> Store<Kind>
where
    Kind: Resource + Clone + DeserializeOwned + Debug + Send + Sync + 'static,
    Kind::DynamicType: Default + Eq + Hash + Clone + Send,
{
    let (store, writer) = reflector::store();
    let events = watcher(Api::<Kind>::all(client), watcher::Config::default()).default_backoff();
    let mut events = Box::pin(reflector::reflector(writer, events));
    tokio::spawn(async move {
        // Errors are retried by the backoff; the last snapshot holds until then, as with kube-proxy.
        while events.next().await.is_some() {
            changed.notify_one();
        }
    });
    store
}
