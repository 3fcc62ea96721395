//! Many pods at once: how soon the kubelets of a cluster have them all ready.

use super::LoadError;
use futures::future::try_join_all;
use futures::{Stream, StreamExt as _};
use k8s_openapi::api::core::v1::{Container, Pod, PodSpec};
use kube::api::{Api, DeleteParams, ListParams, ObjectMeta, PostParams};
use kube::runtime::watcher::{self, Event, watcher};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::pin::pin;
use std::time::{Duration, Instant};

/// How long all pods together may take to be ready, or to be gone.
const PATIENCE: Duration = Duration::from_mins(5);

/// Creates that many pods of one image in the namespace `default`, all at once; gives the time from before the first
/// creation until the last one is ready. Then deletes them and waits until they are gone.
pub async fn start_pods(kubeconfig: &Path, image: &str, pods: usize) -> Result<Duration, LoadError> {
    let client = crate::connection::client(kubeconfig).await?;
    let all: Api<Pod> = Api::default_namespaced(client);
    let mut events = pin!(watcher(all.clone(), watcher::Config::default().labels("plimsoll=load")));
    // The watch stands before the first pod does, so that no time is spent on asking.
    until(&mut events, "the watch to begin", |event| matches!(event, Event::InitDone)).await?;
    let began = Instant::now();
    try_join_all((0..pods).map(|number| create(&all, image, number))).await?;
    let mut ready = BTreeSet::new();
    until(&mut events, "every pod to be ready", |event| {
        if let Event::Apply(pod) | Event::InitApply(pod) = event
            && is_ready(&pod)
        {
            ready.insert(pod.metadata.name);
        }
        ready.len() == pods
    })
    .await?;
    let took = began.elapsed();
    let ours = ListParams::default().labels("plimsoll=load");
    all.delete_collection(&DeleteParams::default(), &ours).await.map_err(Box::new)?;
    let mut gone = 0;
    until(&mut events, "every pod to be gone", |event| {
        gone += usize::from(matches!(event, Event::Delete(_)));
        gone == pods
    })
    .await?;
    Ok(took)
}

async fn create(all: &Api<Pod>, image: &str, number: usize) -> Result<(), Box<kube::Error>> {
    let container =
        Container { name: "main".to_owned(), image: Some(image.to_owned()), ..Container::default() };
    let pod = Pod {
        metadata: ObjectMeta {
            name: Some(format!("load-{number}")),
            labels: Some(BTreeMap::from([("plimsoll".to_owned(), "load".to_owned())])),
            ..ObjectMeta::default()
        },
        spec: Some(PodSpec {
            containers: vec![container],
            termination_grace_period_seconds: Some(1),
            ..PodSpec::default()
        }),
        ..Pod::default()
    };
    all.create(&PostParams::default(), &pod).await.map_err(Box::new)?;
    Ok(())
}

/// Takes events until one of them is the last that was waited for.
async fn until(
    events: &mut (impl Stream<Item = watcher::Result<Event<Pod>>> + Unpin),
    what: &'static str,
    mut is_last: impl FnMut(Event<Pod>) -> bool,
) -> Result<(), LoadError> {
    let taken = async {
        while let Some(event) = events.next().await {
            if is_last(event.map_err(Box::new)?) {
                return Ok(());
            }
        }
        Err(LoadError::Late { what })
    };
    tokio::time::timeout(PATIENCE, taken).await.unwrap_or(Err(LoadError::Late { what }))
}

fn is_ready(pod: &Pod) -> bool {
    let mut conditions = pod.status.iter().flat_map(|status| status.conditions.iter().flatten());
    conditions.any(|condition| condition.type_ == "Ready" && condition.status == "True")
}
