//! Whether objects of a kind live in namespaces.

use crate::view::View;
use plimsoll_schema::Scope;

/// Whether a kind is cluster-scoped: by the input's own CRD, or by what is known of it.
pub(crate) fn is_cluster_scoped(view: &View<'_>, group: &str, kind: &str) -> bool {
    let own = view.crd(group, kind);
    match own.and_then(|crd| crd.text_at(&["spec", "scope"])) {
        Some(scope) => scope == "Cluster",
        None => plimsoll_schema::scope(group, kind) == Some(Scope::Cluster),
    }
}
