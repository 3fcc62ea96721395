//! A workload's controller makes pods, the scheduler binds them, the kubelet starts them, probes make them ready.

use super::{definer, follow, stored};
use crate::delays::DELAYS;
use crate::producers;
use crate::read::init_guard;
use crate::read::pods::Pods;
use crate::rule::Found;
use crate::view::View;
use plimsoll_model::Milestone::{Bound, Complete, Established, Observed, Ready, Started, Stored};
use plimsoll_model::{Clause, Delay, Object};
use std::time::Duration;

pub(super) fn live(view: &View<'_>, object: &Object, found: &mut Found) {
    let Some(pods) = view.pods_of(&object.id) else {
        return super::custom_resource::live(view, object, found);
    };
    let created = if pods.is_bare() { Delay::NONE } else { DELAYS.pods_created.delay() };
    found.cause(object.id.at(Observed), stored(object), created);
    if !pods.run {
        // A workload without pods is rolled out as soon as its controller has seen it.
        found.cause(object.id.at(Ready), vec![object.id.at(Observed).into()], Delay::NONE);
        return;
    }
    follow(found, object.id.at(Bound), object.id.at(Observed), &DELAYS.pod_scheduled);
    found.cause(object.id.at(Started), placed(view, pods), DELAYS.container_started.delay());
    // The kubelet has started the pod, but its containers wait for what its init containers wait for.
    let mut running = vec![Clause::one(object.id.at(Started))];
    running.extend(init_guard::awaited_jobs(view, pods).into_iter().map(|job| Clause::one(job.at(Complete))));
    let mut answers = running.clone();
    let definitions = definer::install(view, object, found);
    answers.extend(definitions.iter().map(|crd| Clause::one(crd.at(Established))));
    found.cause(object.id.at(Ready), answers, until_ready(pods));
    let made = bring(pods, found);
    if matches!(object.id.kind(), "Job" | "Pod") {
        running.extend(made);
        found.cause(object.id.at(Complete), running, DELAYS.job_complete.delay());
    }
}

/// Programs that are known by image and arguments make objects once they run; a Job ends only after that.
fn bring(pods: &Pods<'_>, found: &mut Found) -> Vec<Clause> {
    let carrier = &pods.owner.id;
    let mut made = Vec::new();
    for product in producers::products(pods) {
        found.bring(&product.id, carrier, vec![pods.start().into()], DELAYS.request.delay());
        made.push(Clause::one(product.id.at(Stored)));
    }
    made
}

/// Containers start on a node, once every claim that the input brings for them is bound.
fn placed(view: &View<'_>, pods: &Pods<'_>) -> Vec<Clause> {
    let names = pods.spec.list_at(&["volumes"]).iter();
    let claims = names
        .filter_map(|volume| volume.text_at(&["persistentVolumeClaim", "claimName"]))
        .map(|name| pods.neighbour("PersistentVolumeClaim", name))
        .filter(|claim| view.delivers(claim));
    let mut after = vec![Clause::one(pods.owner.id.at(Bound))];
    after.extend(claims.map(|claim| Clause::one(claim.at(Bound))));
    after
}

/// Without a readiness probe a pod is ready when it runs; with one, not before its initial delay is over.
fn until_ready(pods: &Pods<'_>) -> Delay {
    let probes = pods.containers().iter().filter_map(|container| container.get("readinessProbe"));
    let initial = probes.map(|probe| probe.int_at(&["initialDelaySeconds"]).unwrap_or(0)).max();
    let Some(initial) = initial else { return Delay::NONE };
    let initial = Duration::from_secs(u64::try_from(initial).unwrap_or(0));
    let probe = DELAYS.pod_ready.delay();
    Delay {
        low: initial + probe.low,
        usual: (initial + Duration::from_secs(1)).max(probe.usual),
        high: initial + probe.high,
    }
}
