//! What is true of a kind in all its versions: plural, scope, verbs.

use crate::known::find;
use crate::tables::BUILTIN;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Whether objects of a kind live in a namespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Each object is in a namespace.
    Namespaced,
    /// Objects are in no namespace.
    Cluster,
}

/// What the API lets clients do with a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verbs {
    /// Create, read, change and delete.
    All,
    /// A question that is answered and not stored: `SubjectAccessReview`, `TokenReview`; also `Binding`.
    CreateOnly,
    /// `ComponentStatus`.
    ReadOnly,
}

/// The scope of a built-in kind of any version, or of a well-known custom kind.
#[must_use]
pub fn scope(group: &str, kind: &str) -> Option<Scope> {
    find(group, kind).map(|known| known.scope)
}

/// The name of the resource, a lower-case plural: `deployments`.
#[must_use]
pub fn resource(group: &str, kind: &str) -> Option<&'static str> {
    find(group, kind).map(|known| known.plural)
}

/// What clients may do with a kind; custom kinds allow everything.
#[must_use]
pub fn verbs(group: &str, kind: &str) -> Option<Verbs> {
    find(group, kind).map(|known| known.verbs)
}

/// Whether Kubernetes itself has or had this group; the core group is the empty text.
#[must_use]
pub fn is_builtin_group(group: &str) -> bool {
    static GROUPS: LazyLock<BTreeSet<&'static str>> =
        LazyLock::new(|| BUILTIN.iter().map(|row| row.known.group).collect());
    GROUPS.contains(group)
}

/// Whether Kubernetes itself has or had a kind of this name, in whatever group.
#[must_use]
pub fn is_builtin_kind(kind: &str) -> bool {
    static KINDS: LazyLock<BTreeSet<&'static str>> =
        LazyLock::new(|| BUILTIN.iter().map(|row| row.known.kind).collect());
    KINDS.contains(kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scope_and_plural_of_built_in_removed_and_custom_kinds() {
        for (group, kind, plural, expected) in [
            ("", "Pod", "pods", Scope::Namespaced),
            ("", "Namespace", "namespaces", Scope::Cluster),
            ("", "Endpoints", "endpoints", Scope::Namespaced),
            ("rbac.authorization.k8s.io", "ClusterRole", "clusterroles", Scope::Cluster),
            ("policy", "PodSecurityPolicy", "podsecuritypolicies", Scope::Cluster),
            ("extensions", "Ingress", "ingresses", Scope::Namespaced),
            ("cert-manager.io", "ClusterIssuer", "clusterissuers", Scope::Cluster),
            ("external-secrets.io", "ExternalSecret", "externalsecrets", Scope::Namespaced),
            ("kustomize.toolkit.fluxcd.io", "Kustomization", "kustomizations", Scope::Namespaced),
            ("argoproj.io", "EventBus", "eventbus", Scope::Namespaced),
            ("kubevirt.io", "VirtualMachine", "virtualmachines", Scope::Namespaced),
        ] {
            assert_eq!(scope(group, kind), Some(expected), "{group} {kind}");
            assert_eq!(resource(group, kind), Some(plural), "{group} {kind}");
        }
        assert_eq!(scope("apps", "Pod"), None);
        assert_eq!(resource("example.org", "Widget"), None);
    }

    #[test]
    fn reviews_are_only_created() {
        assert_eq!(verbs("authorization.k8s.io", "SubjectAccessReview"), Some(Verbs::CreateOnly));
        assert_eq!(verbs("", "ComponentStatus"), Some(Verbs::ReadOnly));
        assert_eq!(verbs("", "Namespace"), Some(Verbs::All));
    }

    #[test]
    fn groups_of_kubernetes_itself() {
        for group in ["", "apps", "extensions", "storage.k8s.io", "apiextensions.k8s.io"] {
            assert!(is_builtin_group(group), "{group}");
        }
        // Kubernetes' own suffix, yet none of these is served without a CRD or an APIService.
        for group in
            ["snapshot.storage.k8s.io", "gateway.networking.k8s.io", "metrics.k8s.io", "cert-manager.io"]
        {
            assert!(!is_builtin_group(group), "{group}");
        }
    }
}
