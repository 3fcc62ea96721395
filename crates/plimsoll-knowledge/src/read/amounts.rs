//! What containers ask for, and what a LimitRange fills in where they ask for nothing.
//!
//! kubernetes v1.36.4 `pkg/apis/core/v1/defaults.go` (`SetDefaults_Pod`, `SetDefaults_LimitRangeItem`),
//! `plugin/pkg/admission/limitranger/admission.go`.

use super::pods::Pods;
use super::quantity::Quantity;
use crate::view::View;
use plimsoll_model::{Node, Object};

/// Which of the two amounts of a container is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Amount {
    Request,
    Limit,
}

/// The amount that a container itself names; a limit stands for the request too.
pub(crate) fn named(container: &Node, amount: Amount, resource: &str) -> Option<Quantity> {
    let limit = || container.at(&["resources", "limits", resource]);
    let node = match amount {
        Amount::Request => container.at(&["resources", "requests", resource]).or_else(limit),
        Amount::Limit => limit(),
    };
    node.and_then(Quantity::of)
}

/// Whether the pod names amounts as a whole, so that its containers need not.
pub(crate) fn are_of_pod(spec: &Node) -> bool {
    spec.get("resources").is_some_and(|resources| !resources.entries().is_empty())
}

/// The LimitRanges of a namespace.
pub(crate) fn ranges<'a>(view: &View<'a>, namespace: &str) -> Vec<&'a Object> {
    view.of_kind_in(namespace, "", "LimitRange")
}

/// What a LimitRange fills in for a container: without a default limit its maximum, without a default request the
/// limit or the minimum.
pub(crate) fn filled_in(range: &Object, amount: Amount, resource: &str) -> Option<Quantity> {
    let items = range.root.list_at(&["spec", "limits"]).iter();
    let mut items = items.filter(|item| item.text_at(&["type"]) == Some("Container"));
    let fields: &[&str] = match amount {
        Amount::Limit => &["default", "max"],
        Amount::Request => &["defaultRequest", "default", "max", "min"],
    };
    items.find_map(|item| fields.iter().find_map(|field| item.at(&[field, resource])).and_then(Quantity::of))
}

/// What every container of a namespace gets that names nothing: none where nothing or more than one range fills it in,
/// which fill it in in no fixed order.
pub(crate) fn default_of(
    view: &View<'_>,
    namespace: &str,
    amount: Amount,
    resource: &str,
) -> Option<Quantity> {
    let ranges = ranges(view, namespace);
    let mut filled = ranges.iter().filter_map(|range| filled_in(range, amount, resource));
    filled.next().filter(|_| filled.next().is_none())
}

/// What a pod uses as a whole: the sum over its containers, or its largest init container if that is more. None where
/// nothing is named, or where init containers that keep running make it more than that.
/// kubernetes v1.36.4 `pkg/quota/v1/evaluator/core/pods.go`, `k8s.io/component-helpers/resource/helpers.go`.
pub(crate) fn together(pods: &Pods<'_>, of: impl Fn(&Node) -> Option<Quantity>) -> Option<Quantity> {
    if pods.has_sidecars() {
        return None;
    }
    let sum = pods.containers().iter().filter_map(&of).reduce(Quantity::plus);
    let largest = pods.init_containers().iter().filter_map(&of);
    largest.fold(sum, |sum, one| if sum.is_some_and(|sum| !one.exceeds(sum)) { sum } else { Some(one) })
}
