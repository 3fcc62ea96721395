//! Which bounds of a LimitRange a pod or claim breaks, in the words of the API server.
//!
//! kubernetes v1.36.4 `plugin/pkg/admission/limitranger/admission.go`. Several broken bounds are named in no fixed order.

use super::amounts::{Amount, filled_in, named, together};
use super::pods::Pods;
use super::quantity::Quantity;
use plimsoll_model::{Node, Object, Place};

/// A broken bound in words, and the field at fault.
pub(crate) type Broken = Vec<(String, Place)>;

/// The amounts of one resource that are held against a bound.
struct Asked {
    request: Option<Quantity>,
    limit: Option<Quantity>,
    place: Place,
}

/// The bounds that a pod breaks: those for each container, and those for the pod as a whole.
pub(crate) fn broken_by_pod(range: &Object, pods: &Pods<'_>) -> Broken {
    let mut broken = Broken::new();
    for item in range.root.list_at(&["spec", "limits"]) {
        match item.text_at(&["type"]) {
            Some("Container") => {
                for container in pods.containers().iter().chain(pods.init_containers()) {
                    hold(item, "Container", &|resource| asked(range, container, resource), &mut broken);
                }
            }
            Some("Pod") if !pods.has_sidecars() => {
                hold(item, "Pod", &|resource| asked_together(range, pods, resource), &mut broken);
            }
            _ => {}
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    broken.retain(|(text, _)| seen.insert(text.clone()));
    broken
}

/// The bounds that a claim breaks; only its request counts.
pub(crate) fn broken_by_claim(range: &Object, claim: &Object) -> Broken {
    let asked = |resource: &str| {
        let node = claim.root.at(&["spec", "resources", "requests", resource]);
        let request = node.and_then(Quantity::of);
        Asked { request, limit: request, place: node.map_or_else(|| claim.place(), |node| node.place) }
    };
    let mut broken = Broken::new();
    for item in range.root.list_at(&["spec", "limits"]) {
        if item.text_at(&["type"]) == Some("PersistentVolumeClaim") {
            hold(item, "PersistentVolumeClaim", &asked, &mut broken);
        }
    }
    for (text, _) in &mut broken {
        *text = text.replace("but limit is", "but request is");
    }
    broken
}

fn asked(range: &Object, container: &Node, resource: &str) -> Asked {
    let amount = |amount| named(container, amount, resource).or_else(|| filled_in(range, amount, resource));
    let written =
        ["limits", "requests"].into_iter().find_map(|field| container.at(&["resources", field, resource]));
    Asked {
        request: amount(Amount::Request),
        limit: amount(Amount::Limit),
        place: written.unwrap_or(container).place,
    }
}

/// What all containers name or are given, together.
fn asked_together(range: &Object, pods: &Pods<'_>, resource: &str) -> Asked {
    let place =
        pods.containers().first().map_or(pods.spec.place, |first| asked(range, first, resource).place);
    Asked {
        request: together(pods, |container| asked(range, container, resource).request),
        limit: together(pods, |container| asked(range, container, resource).limit),
        place,
    }
}

/// Holds the amounts against every bound of an item: minima, maxima, ratios.
fn hold(item: &Node, per: &str, asked: &dyn Fn(&str) -> Asked, broken: &mut Broken) {
    for (field, check) in CHECKS {
        for (resource, enforced) in item.get(field).map_or(&[][..], Node::entries) {
            let Some(bound) = Quantity::of(enforced) else { continue };
            let asked = asked(&resource.text);
            let text = check(&resource.text, per, bound, &asked);
            broken.extend(text.map(|text| (text, asked.place)));
        }
    }
}

type Check = fn(&str, &str, Quantity, &Asked) -> Option<String>;

const CHECKS: [(&str, Check); 3] =
    [("min", check_min), ("max", check_max), ("maxLimitRequestRatio", check_ratio)];

fn check_min(resource: &str, per: &str, bound: Quantity, asked: &Asked) -> Option<String> {
    let below = |amount: Option<Quantity>| amount.filter(|amount| bound.exceeds(*amount));
    let start = format!("minimum {resource} usage per {per} is {bound}");
    match (asked.request, below(asked.request), below(asked.limit)) {
        (None, ..) => Some(format!("{start}.  No request is specified")),
        (_, Some(request), _) => Some(format!("{start}, but request is {request}")),
        (_, _, Some(limit)) => Some(format!("{start}, but limit is {limit}")),
        _ => None,
    }
}

fn check_max(resource: &str, per: &str, bound: Quantity, asked: &Asked) -> Option<String> {
    let above = |amount: Option<Quantity>| amount.filter(|amount| amount.exceeds(bound));
    let start = format!("maximum {resource} usage per {per} is {bound}");
    match (asked.limit, above(asked.limit), above(asked.request)) {
        (None, ..) => Some(format!("{start}.  No limit is specified")),
        (_, Some(limit), _) => Some(format!("{start}, but limit is {limit}")),
        (_, _, Some(request)) => Some(format!("{start}, but request is {request}")),
        _ => None,
    }
}

fn check_ratio(resource: &str, per: &str, bound: Quantity, asked: &Asked) -> Option<String> {
    let start = format!("{resource} max limit to request ratio per {per} is {bound}");
    let some = |amount: Option<Quantity>| amount.filter(|amount| *amount != Quantity::ZERO);
    let Some(request) = some(asked.request) else {
        return Some(format!("{start}, but no request is specified or request is 0"));
    };
    let Some(limit) = some(asked.limit) else {
        return Some(format!("{start}, but no limit is specified or limit is 0"));
    };
    let (ratio, permitted) = (limit.ratio(request)?, bound.ratio(Quantity::whole(1))?);
    (ratio > permitted).then(|| format!("{start}, but provided ratio is {ratio:.6}"))
}

#[cfg(test)]
mod tests;
