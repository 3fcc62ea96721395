//! What every cluster has, so that nobody has to bring it.

use plimsoll_model::ObjectId;

/// Whether every cluster has the object from its first minute.
///
/// kubernetes v1.36.4: `pkg/controlplane/controller/systemnamespaces`, `plugin/pkg/auth/authorizer/rbac/bootstrappolicy`,
/// `pkg/apis/scheduling/v1/helpers.go`; the `default` ServiceAccount and `kube-root-ca.crt` come with each namespace.
#[must_use]
pub fn is_always_there(id: &ObjectId) -> bool {
    let name = id.name();
    match (id.group(), id.kind()) {
        ("", "Namespace") => matches!(name, "default" | "kube-system" | "kube-public" | "kube-node-lease"),
        ("", "ServiceAccount") => name == "default",
        ("", "ConfigMap") => name == "kube-root-ca.crt",
        ("", "Service") => name == "kubernetes" && id.namespace() == Some("default"),
        ("scheduling.k8s.io", "PriorityClass") => name.starts_with("system-"),
        ("rbac.authorization.k8s.io", "ClusterRole") => {
            name.starts_with("system:") || matches!(name, "cluster-admin" | "admin" | "edit" | "view")
        }
        ("rbac.authorization.k8s.io", "Role") => {
            name.starts_with("system:") || name == "extension-apiserver-authentication-reader"
        }
        _ => false,
    }
}
