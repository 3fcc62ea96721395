//! What objects use of a quota, at least: only what is written counts, or filled in for certain, and only pods that stay.
//!
//! kubernetes v1.36.4 `pkg/quota/v1/evaluator/core`, `pkg/quota/v1/generic`.

use super::quantity::Quantity;
use super::{amounts, quota};
use crate::view::View;
use plimsoll_model::{Node, Object, ObjectId};

/// What one pod or object uses, and how many of them stay for good.
pub(crate) struct Usage {
    pub(crate) single: Quantity,
    pub(crate) count: i64,
}

/// What is used under a name before anything is sent: each namespace has the ConfigMap `kube-root-ca.crt`.
pub(crate) fn from_the_start(name: &str) -> Quantity {
    Quantity::whole(i64::from(matches!(name, "configmaps" | "count/configmaps")))
}

/// Whether pods are counted under a name, or what they ask for.
pub(crate) fn is_of_pods(name: &str) -> bool {
    matches!(name, "pods" | "count/pods") || quota::compute(name).is_some()
}

/// What an object of the input uses under a quota's name; none if nothing, or if that is not known.
pub(crate) fn of(view: &View<'_>, object: &Object, name: &str) -> Option<Usage> {
    if !is_of_pods(name) {
        return of_object(object, name).map(|single| Usage { single, count: 1 });
    }
    let pods = view.pods_of(&object.id).filter(|pods| pods.ever_run() && pods.owner.is_whole())?;
    let single = match quota::compute(name) {
        None => Quantity::whole(1),
        Some((amount, resource)) => {
            // A pod that names nothing is refused until a LimitRange fills it in, so it never counts as less.
            let is_filled = !amounts::are_of_pod(pods.spec);
            let default = || amounts::default_of(view, pods.namespace(), amount, resource);
            let default = is_filled.then(default).flatten();
            amounts::together(pods, |one| amounts::named(one, amount, resource).or(default))?
        }
    };
    Some(Usage { single, count: lasting(view, object) })
}

/// What an object itself uses under a name.
fn of_object(object: &Object, name: &str) -> Option<Quantity> {
    let is_kind = |kind: &str| object.id.group().is_empty() && object.id.kind() == kind;
    let is_service = |kinds: &[&str]| {
        is_kind("Service") && object.text_at(&["spec", "type"]).is_some_and(|kind| kinds.contains(&kind))
    };
    match name {
        "services.loadbalancers" => is_service(&["LoadBalancer"]).then(|| Quantity::whole(1)),
        "services.nodeports" => {
            let takes_none = object.root.bool_at(&["spec", "allocateLoadBalancerNodePorts"]) == Some(false);
            let ports = object.root.list_at(&["spec", "ports"]).len();
            let ports = i64::try_from(ports).ok().filter(|_| !takes_none)?;
            is_service(&["NodePort", "LoadBalancer"]).then(|| Quantity::whole(ports))
        }
        "requests.storage" if is_kind("PersistentVolumeClaim") => {
            object.root.at(&["spec", "resources", "requests", "storage"]).and_then(Quantity::of)
        }
        _ => {
            let is_counted = name == format!("count/{}", resource(object)) || is_plain(object, name);
            is_counted.then(|| Quantity::whole(1))
        }
    }
}

/// Core kinds that a quota counts by their plain name.
fn is_plain(object: &Object, name: &str) -> bool {
    matches!(
        name,
        "configmaps"
            | "secrets"
            | "services"
            | "persistentvolumeclaims"
            | "replicationcontrollers"
            | "resourcequotas"
    ) && resource(object) == name
}

/// How many pods of a workload stay, at least. A Job's end, a DaemonSet's depend on the nodes, and an autoscaler may
/// go down to one.
fn lasting(view: &View<'_>, object: &Object) -> i64 {
    match object.id.kind() {
        "Deployment" | "StatefulSet" | "ReplicaSet" | "ReplicationController" => {
            let is_scaled =
                scaled(view, object.id.namespace().unwrap_or_default()).any(|target| target == object.id);
            let replicas = object.root.int_at(&["spec", "replicas"]).unwrap_or(1);
            if is_scaled { replicas.min(1) } else { replicas }
        }
        "Pod" => {
            i64::from(!matches!(object.text_at(&["spec", "restartPolicy"]), Some("Never" | "OnFailure")))
        }
        _ => 0,
    }
}

fn scaled<'a>(view: &View<'a>, namespace: &str) -> impl Iterator<Item = ObjectId> + use<'a> {
    view.of_kind_in(namespace, "autoscaling", "HorizontalPodAutoscaler").into_iter().filter_map(|scaler| {
        let target = scaler.root.at(&["spec", "scaleTargetRef"])?;
        let group = target
            .text_at(&["apiVersion"])
            .and_then(|version| version.split_once('/'))
            .map_or("", |(g, _)| g);
        Some(ObjectId::new(
            group,
            target.text_at(&["kind"])?,
            scaler.id.namespace(),
            target.get("name").and_then(Node::text)?,
        ))
    })
}

/// The resource of an object as a quota names it: `configmaps`, `deployments.apps`.
pub(crate) fn resource(object: &Object) -> String {
    let (group, kind) = (object.id.group(), object.id.kind());
    let plural = plimsoll_schema::resource(group, kind).unwrap_or_default();
    if group.is_empty() { plural.to_owned() } else { format!("{plural}.{group}") }
}
