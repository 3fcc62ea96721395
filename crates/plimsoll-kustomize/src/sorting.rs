//! The order of the output: as listed, or by kind (`internal/builtins/SortOrderTransformer.go`).

use crate::identity::{Gvk, Id};
use std::cmp::Ordering;

/// `sortOptions` of the outermost kustomization; those of the folders it lists are never looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sorting {
    /// `fifo`: the order of `resources`, depth first.
    Listed,
    /// `legacy`: some kinds first, some last, the rest by group, version and kind between them.
    ByKind {
        /// The kinds that come first.
        first: Vec<String>,
        /// The kinds that come last.
        last: Vec<String>,
    },
}

/// `defaultOrderFirst` of `SortOrderTransformer.go`.
const FIRST: [&str; 22] = [
    "Namespace",
    "ResourceQuota",
    "StorageClass",
    "CustomResourceDefinition",
    "ServiceAccount",
    "PodSecurityPolicy",
    "Role",
    "ClusterRole",
    "RoleBinding",
    "ClusterRoleBinding",
    "ConfigMap",
    "Secret",
    "Endpoints",
    "Service",
    "LimitRange",
    "PriorityClass",
    "PersistentVolume",
    "PersistentVolumeClaim",
    "Deployment",
    "StatefulSet",
    "CronJob",
    "PodDisruptionBudget",
];

/// `defaultOrderLast` of the same file.
const LAST: [&str; 2] = ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"];

impl Default for Sorting {
    fn default() -> Self {
        Self::ByKind { first: FIRST.map(str::to_owned).into(), last: LAST.map(str::to_owned).into() }
    }
}

impl Sorting {
    /// Puts what has an identity into this order.
    pub(crate) fn arrange<T>(&self, things: &mut [(Id, T)]) {
        if let Self::ByKind { first, last } = self {
            things.sort_by(|(one, _), (other, _)| compare(one, other, first, last));
        }
    }
}

/// `legacyIDSorter.Less` and `gvkLessThan`: texts are compared byte by byte, with signs of their own for what is empty.
fn compare(one: &Id, other: &Id, first: &[String], last: &[String]) -> Ordering {
    if one.gvk == other.gvk {
        return name_text(one).cmp(&name_text(other));
    }
    let rank = |gvk: &Gvk| rank(&gvk.kind, first, last);
    let is_namespace = |gvk: &Gvk| &*gvk.kind == "Namespace";
    let has_core = one.gvk.group.is_empty() || other.gvk.group.is_empty();
    rank(&one.gvk).cmp(&rank(&other.gvk)).then_with(|| {
        let by_text = one.gvk.sort_text().cmp(&other.gvk.sort_text());
        // Kubernetes' own Namespace comes before the kinds of that name that others have.
        if is_namespace(&one.gvk) && is_namespace(&other.gvk) && has_core {
            by_text.reverse()
        } else {
            by_text
        }
    })
}

/// The order of kinds in kustomize's own tables (`kyaml/resid/gvk.go`, `IsLessThan`).
pub(crate) fn compare_kinds(one: &Gvk, other: &Gvk) -> Ordering {
    let rank = |gvk: &Gvk| {
        let position = |list: &[&str]| list.iter().position(|kind| *kind == &*gvk.kind);
        match (position(&FIRST), position(&LAST)) {
            (Some(at), _) => (0, at),
            (None, Some(at)) => (2, at),
            (None, None) => (1, 0),
        }
    };
    rank(one).cmp(&rank(other)).then_with(|| one.sort_text().cmp(&other.sort_text()))
}

/// The first kind is the lowest; a kind that stands in a list twice has its last position, and the last list wins.
fn rank(kind: &str, first: &[String], last: &[String]) -> (u8, usize) {
    let position = |list: &[String]| list.iter().rposition(|one| one == kind);
    match (position(last), position(first)) {
        (Some(at), _) => (2, at),
        (None, Some(at)) => (0, at),
        (None, None) => (1, 0),
    }
}

fn name_text(id: &Id) -> String {
    let namespace = if id.namespace.is_empty() { "~X" } else { &id.namespace };
    format!("{namespace}|{}", id.name)
}
