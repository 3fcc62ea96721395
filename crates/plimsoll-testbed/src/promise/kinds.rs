//! The kinds that cases are made of, each with the least that an API server takes.

use serde_json::{Value, json};

/// A kind of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kind {
    pub(super) api_version: &'static str,
    pub(super) name: &'static str,
    pub(super) is_namespaced: bool,
}

/// Stands for the prefix of a case in names and groups.
pub(super) const PREFIX: &str = "PREFIX";

pub(super) const NAMESPACE: Kind = cluster("v1", "Namespace");
pub(super) const CONFIG_MAP: Kind = namespaced("v1", "ConfigMap");
pub(super) const DEFINITION: Kind = cluster("apiextensions.k8s.io/v1", "CustomResourceDefinition");
pub(super) const INSTANCE: Kind = namespaced("PREFIX.example.com/v1", "Gadget");

/// What a case picks from, besides namespaces, CRDs and their instances.
pub(super) const KINDS: [Kind; 24] = [
    CONFIG_MAP,
    namespaced("v1", "Secret"),
    namespaced("v1", "ServiceAccount"),
    namespaced("v1", "Service"),
    namespaced("v1", "LimitRange"),
    namespaced("v1", "ResourceQuota"),
    namespaced("v1", "PersistentVolumeClaim"),
    namespaced("apps/v1", "Deployment"),
    namespaced("apps/v1", "StatefulSet"),
    namespaced("apps/v1", "DaemonSet"),
    namespaced("batch/v1", "Job"),
    namespaced("batch/v1", "CronJob"),
    namespaced("policy/v1", "PodDisruptionBudget"),
    namespaced("autoscaling/v2", "HorizontalPodAutoscaler"),
    namespaced("networking.k8s.io/v1", "NetworkPolicy"),
    namespaced("networking.k8s.io/v1", "Ingress"),
    cluster("networking.k8s.io/v1", "IngressClass"),
    namespaced("rbac.authorization.k8s.io/v1", "Role"),
    namespaced("rbac.authorization.k8s.io/v1", "RoleBinding"),
    cluster("rbac.authorization.k8s.io/v1", "ClusterRole"),
    cluster("rbac.authorization.k8s.io/v1", "ClusterRoleBinding"),
    cluster("scheduling.k8s.io/v1", "PriorityClass"),
    cluster("storage.k8s.io/v1", "StorageClass"),
    cluster("node.k8s.io/v1", "RuntimeClass"),
];

/// What `kubectl apply --prune` deletes by itself.
pub(super) const PRUNABLE: [Kind; 10] = [
    CONFIG_MAP,
    namespaced("v1", "PersistentVolumeClaim"),
    namespaced("v1", "Secret"),
    namespaced("v1", "Service"),
    namespaced("batch/v1", "Job"),
    namespaced("batch/v1", "CronJob"),
    namespaced("networking.k8s.io/v1", "Ingress"),
    namespaced("apps/v1", "DaemonSet"),
    namespaced("apps/v1", "Deployment"),
    namespaced("apps/v1", "StatefulSet"),
];

const fn namespaced(api_version: &'static str, name: &'static str) -> Kind {
    Kind { api_version, name, is_namespaced: true }
}

const fn cluster(api_version: &'static str, name: &'static str) -> Kind {
    Kind { api_version, name, is_namespaced: false }
}

impl Kind {
    /// Everything below apiVersion, kind and metadata.
    pub(super) fn body(self) -> Value {
        let selector = json!({"matchLabels": {"app": "x"}});
        match self.name {
            "ConfigMap" => json!({"data": {"a": "b"}}),
            "Secret" => json!({"stringData": {"a": "b"}}),
            "Service" => json!({"spec": {"ports": [{"port": 80}]}}),
            "LimitRange" => json!({"spec": {"limits": [{"type": "Pod", "max": {"cpu": "64"}}]}}),
            "ResourceQuota" => json!({"spec": {"hard": {"pods": "100"}}}),
            "PersistentVolumeClaim" => json!({"spec": {"accessModes": ["ReadWriteOnce"],
                "resources": {"requests": {"storage": "1Gi"}}}}),
            "Deployment" | "StatefulSet" | "DaemonSet" => workload(self.name, &selector),
            "Job" => json!({"spec": {"suspend": true, "template": pod("Never")}}),
            "CronJob" => json!({"spec": {"suspend": true, "schedule": "0 0 1 1 *",
                "jobTemplate": {"spec": {"template": pod("Never")}}}}),
            "PodDisruptionBudget" => json!({"spec": {"minAvailable": 1, "selector": selector}}),
            "HorizontalPodAutoscaler" => json!({"spec": {"maxReplicas": 2,
                "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "x"}}}),
            "NetworkPolicy" => json!({"spec": {"podSelector": {}}}),
            "Ingress" => {
                json!({"spec": {"defaultBackend": {"service": {"name": "x", "port": {"number": 80}}}}})
            }
            "IngressClass" => json!({"spec": {"controller": "example.com/x"}}),
            "Role" | "ClusterRole" => {
                json!({"rules": [{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}]})
            }
            "RoleBinding" | "ClusterRoleBinding" => json!({"roleRef": {
                "apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "view"}}),
            "PriorityClass" => json!({"value": 1}),
            "StorageClass" => json!({"provisioner": "example.com/x"}),
            "RuntimeClass" => json!({"handler": "x"}),
            "CustomResourceDefinition" => definition(),
            _ => json!({}),
        }
    }
}

/// No node is there, and no pod is wanted.
fn workload(kind: &str, selector: &Value) -> Value {
    let mut spec = json!({"selector": selector, "template": pod("Always")});
    if kind != "DaemonSet"
        && let Some(spec) = spec.as_object_mut()
    {
        spec.insert("replicas".to_owned(), json!(0));
    }
    json!({"spec": spec})
}

fn pod(restart_policy: &str) -> Value {
    json!({"metadata": {"labels": {"app": "x"}},
        "spec": {"restartPolicy": restart_policy, "containers": [{"name": "x", "image": "example.com/x"}]}})
}

fn definition() -> Value {
    json!({"spec": {
        "group": "PREFIX.example.com",
        "scope": "Namespaced",
        "names": {"kind": "Gadget", "plural": "gadgets", "singular": "gadget"},
        "versions": [{"name": "v1", "served": true, "storage": true,
            "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}],
    }})
}
