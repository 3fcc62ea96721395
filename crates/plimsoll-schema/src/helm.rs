//! Helm's order of kinds.
//!
//! Helm v4.3.1 `pkg/release/v1/util/kind_sorter.go` (`InstallOrder`); v3.22.0 `pkg/releaseutil/kind_sorter.go` is the
//! same but for the webhook configurations, which it does not list.

const INSTALLED: [&str; 38] = [
    "PriorityClass",
    "Namespace",
    "NetworkPolicy",
    "ResourceQuota",
    "LimitRange",
    "PodSecurityPolicy",
    "PodDisruptionBudget",
    "ServiceAccount",
    "Secret",
    "SecretList",
    "ConfigMap",
    "StorageClass",
    "PersistentVolume",
    "PersistentVolumeClaim",
    "CustomResourceDefinition",
    "ClusterRole",
    "ClusterRoleList",
    "ClusterRoleBinding",
    "ClusterRoleBindingList",
    "Role",
    "RoleList",
    "RoleBinding",
    "RoleBindingList",
    "Service",
    "DaemonSet",
    "Pod",
    "ReplicationController",
    "ReplicaSet",
    "Deployment",
    "HorizontalPodAutoscaler",
    "StatefulSet",
    "Job",
    "CronJob",
    "IngressClass",
    "Ingress",
    "APIService",
    "MutatingWebhookConfiguration",
    "ValidatingWebhookConfiguration",
];

/// The position of a kind when Helm installs or prints a release; kinds without one follow by name.
#[must_use]
pub fn helm_rank(kind: &str, is_helm_4: bool) -> Option<usize> {
    let is_listed = is_helm_4 || !kind.ends_with("WebhookConfiguration");
    INSTALLED.iter().position(|known| *known == kind).filter(|_| is_listed)
}
