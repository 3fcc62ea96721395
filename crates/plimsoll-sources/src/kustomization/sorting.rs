//! The order of kustomize's output: as listed, or by kind.

use plimsoll_model::{Arranged, Object};
use std::cmp::Ordering;

/// The flag `--reorder` of `kustomize build`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reorder {
    Legacy,
    None,
}

/// `sortOptions` of the outermost kustomization; those of the folders it lists are never looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Sorting {
    /// `fifo`: the order of `resources`, depth first.
    Listed,
    /// `legacy`: some kinds first, some last, the rest by group, version and kind between them.
    ByKind { first: Vec<String>, last: Vec<String> },
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
    /// Puts objects into this order.
    pub(super) fn arrange(&self, objects: &mut [Object]) -> Arranged {
        match self {
            Self::Listed => Arranged::AsListed,
            Self::ByKind { first, last } => {
                objects.sort_by(|one, other| compare(one, other, first, last));
                Arranged::ByKind
            }
        }
    }
}

/// `legacyIDSorter.Less` and `gvkLessThan`: texts are compared byte by byte, with signs of their own for what is empty.
fn compare(one: &Object, other: &Object, first: &[String], last: &[String]) -> Ordering {
    let (kind, other_kind) = (kind_text(one), kind_text(other));
    if kind == other_kind {
        return name_text(one).cmp(&name_text(other));
    }
    let rank = |object: &Object| rank(object.id.kind(), first, last);
    let is_namespace = |object: &Object| object.id.kind() == "Namespace";
    let has_core = one.id.group().is_empty() || other.id.group().is_empty();
    rank(one).cmp(&rank(other)).then_with(|| {
        // Kubernetes' own Namespace comes before the kinds of that name that others have.
        if is_namespace(one) && is_namespace(other) && has_core {
            other_kind.cmp(&kind)
        } else {
            kind.cmp(&other_kind)
        }
    })
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

fn kind_text(object: &Object) -> String {
    let group = if object.id.group().is_empty() { "~G" } else { object.id.group() };
    format!("{group}_{}_{}", object.version, object.id.kind())
}

fn name_text(object: &Object) -> String {
    let written = object.text_at(&["metadata", "namespace"]).filter(|namespace| !namespace.is_empty());
    format!("{}|{}", written.unwrap_or("~X"), object.id.name())
}
