//! What `--wait` sees of an object before it goes on: seldom its health, and for some kinds nothing at all.
//!
//! Helm v3.22.0 `pkg/kube/ready.go`; v4.3.1 `pkg/kube/statuswait.go` with fluxcd/cli-utils `pkg/kstatus/status`. Both were
//! tried kind by kind (`crates/plimsoll-testbed/observed/helm.tsv`, the lines that begin with `wait`).

use super::settings::{Settings, Version, Waits};
use plimsoll_model::Milestone::{Bound, Complete, Established, Ready};
use plimsoll_model::{Moment, Object, Value};

/// The moment that has come once Helm counts an object as ready, if that says anything.
pub(super) fn proved(object: &Object, settings: &Settings) -> Option<Moment> {
    let milestone = match (object.id.group(), object.id.kind()) {
        ("apps", "Deployment") if needs_no_pod(object, settings) => return None,
        ("apps", "StatefulSet") if is_on_delete(object) => return None,
        // Helm 3 lets one pod of a DaemonSet be missing, which on one node is every pod.
        ("apps", "DaemonSet") if settings.version == Version::Three || is_on_delete(object) => return None,
        ("apps", _) | ("", "Pod" | "ReplicationController") => Ready,
        ("batch", "Job") if settings.waits == Waits::ObjectsAndJobs => Complete,
        ("", "PersistentVolumeClaim") => Bound,
        ("apiextensions.k8s.io", "CustomResourceDefinition") => Established,
        _ => return None,
    };
    Some(object.id.at(milestone))
}

/// Helm 3 is content with as many pods as `replicas` less `maxUnavailable`. A share of replicas is rounded down.
fn needs_no_pod(object: &Object, settings: &Settings) -> bool {
    let replicas = object.root.int_at(&["spec", "replicas"]).unwrap_or(1);
    let unavailable = match object
        .root
        .at(&["spec", "strategy", "rollingUpdate", "maxUnavailable"])
        .map(|node| &node.value)
    {
        Some(Value::Int(number)) => *number,
        Some(Value::Text(share)) => {
            share.trim_end_matches('%').parse().map_or(0, |share: i64| replicas * share / 100)
        }
        _ => replicas / 4,
    };
    settings.version == Version::Three && replicas <= unavailable
}

fn is_on_delete(object: &Object) -> bool {
    object.text_at(&["spec", "updateStrategy", "type"]) == Some("OnDelete")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;
    use serde_json::{Value as Json, json};
    use std::time::Duration;

    fn check(kind: (&str, &str), spec: &Json, version: Version) -> Option<String> {
        let object = sample::object(
            &json!({"apiVersion": kind.0, "kind": kind.1, "metadata": {"name": "a"}, "spec": spec}),
        );
        let settings = Settings {
            version,
            waits: Waits::Objects,
            runs_hooks: true,
            sends_definitions: true,
            creates_namespace: false,
            timeout: Duration::ZERO,
        };
        proved(&object, &settings).map(|moment| moment.milestone.to_string())
    }

    #[test]
    fn helm_3_may_count_a_deployment_without_a_pod_as_ready() {
        let one = json!({"strategy": {"rollingUpdate": {"maxUnavailable": 1}}});
        let share = json!({"replicas": 3, "strategy": {"rollingUpdate": {"maxUnavailable": "100%"}}});
        for spec in [&one, &share] {
            assert_eq!(check(("apps/v1", "Deployment"), spec, Version::Three), None);
            assert_eq!(check(("apps/v1", "Deployment"), spec, Version::Four).as_deref(), Some("ready"));
        }
        assert_eq!(check(("apps/v1", "Deployment"), &json!({}), Version::Three).as_deref(), Some("ready"));
    }

    #[test]
    fn some_kinds_are_not_waited_for() {
        for version in [Version::Three, Version::Four] {
            let on_delete = json!({"updateStrategy": {"type": "OnDelete"}});
            assert_eq!(check(("apps/v1", "StatefulSet"), &on_delete, version), None);
            assert_eq!(check(("batch/v1", "Job"), &json!({}), version), None);
            assert_eq!(check(("example.com/v1", "Gadget"), &json!({}), version), None);
            assert_eq!(check(("v1", "PersistentVolumeClaim"), &json!({}), version).as_deref(), Some("bound"));
        }
        assert_eq!(check(("apps/v1", "DaemonSet"), &json!({}), Version::Three), None);
    }
}
