//! What stands behind a webhook: its Service, the workloads behind that, and what these cannot run without.

use super::selector::Labels;
use crate::view::View;
use plimsoll_model::Milestone::{self, Ready, Started};
use plimsoll_model::{Node, Object, ObjectId};
use std::collections::BTreeSet;

/// The Service that a `clientConfig` names.
pub(crate) fn service(client: &Node) -> Option<ObjectId> {
    let service = client.get("service")?;
    let name = service.text_at(&["name"]).unwrap_or_default();
    Some(ObjectId::new("", "Service", service.text_at(&["namespace"]), name))
}

/// The address at which a `clientConfig` is called.
pub(crate) fn url(client: &Node) -> String {
    let Some(service) = client.get("service") else {
        return client.text_at(&["url"]).unwrap_or_default().to_owned();
    };
    let text = |key: &str| service.text_at(&[key]).unwrap_or_default();
    let port = service.int_at(&["port"]).unwrap_or(443);
    format!("https://{}.{}.svc:{port}{}", text("name"), text("namespace"), text("path"))
}

/// The milestone of a pod at which a Service sends it traffic.
pub(crate) fn published(service: &Object) -> Milestone {
    let publishes_all = service.root.bool_at(&["spec", "publishNotReadyAddresses"]) == Some(true);
    if publishes_all { Started } else { Ready }
}

/// The objects of the bundle without which a Service never answers: itself, its namespace, the workloads behind it
/// and the objects that their pods name.
pub(crate) fn needs(view: &View<'_>, service: &ObjectId) -> BTreeSet<ObjectId> {
    let mut needs = BTreeSet::from([service.clone()]);
    needs.extend(service.namespace().map(|name| ObjectId::new("", "Namespace", None, name)));
    let Some(object) = view.object(service) else { return needs };
    for pods in workloads(view, object) {
        needs.insert(pods.owner.id.clone());
        let account = pods.spec.text_at(&["serviceAccountName"]);
        needs.extend(account.map(|name| pods.neighbour("ServiceAccount", name)));
        for volume in pods.spec.list_at(&["volumes"]) {
            needs
                .extend(volume.text_at(&["secret", "secretName"]).map(|name| pods.neighbour("Secret", name)));
            needs
                .extend(volume.text_at(&["configMap", "name"]).map(|name| pods.neighbour("ConfigMap", name)));
        }
    }
    needs
}

/// The workloads of the bundle whose pods a Service selects.
pub(crate) fn workloads<'v, 'a>(view: &'v View<'a>, service: &'a Object) -> Vec<&'v super::pods::Pods<'a>> {
    let selector = Labels::of(service.root.at(&["spec", "selector"]));
    let mut pods = view.pods_with(service.id.namespace().unwrap_or_default(), &selector);
    pods.retain(|pods| pods.run);
    pods
}
