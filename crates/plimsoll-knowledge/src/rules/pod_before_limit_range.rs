//! PLM-R024: a pod that names no amounts may meet a quota before the LimitRange that would fill them in.

use crate::read::pods::Pods;
use crate::read::{amounts, quota};
use crate::rule::{Found, Rule};
use crate::view::View;
use plimsoll_model::Milestone::Stored;
use plimsoll_model::{Actor, Class, Clause, Code, Confidence, Object, Place};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R024"),
    name: "pod-before-limit-range",
    class: Class::QuotaWindow,
    page: include_str!("pod_before_limit_range.md"),
    find,
};

/// What no container names, by the quota's own name of the resource: the containers, sorted.
type Missing<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

fn find(view: &View<'_>, found: &mut Found) {
    for quota in quota::unscoped(view) {
        let mut here = quota.id.namespace().map(|namespace| view.pods_in(namespace)).unwrap_or_default();
        here.retain(|pods| pods.owner.is_whole());
        for pods in here.into_iter().filter(|pods| pods.ever_run() && !amounts::are_of_pod(pods.spec)) {
            let (mut missing, place) = missing(quota, pods);
            if let (Some(place), Some(first)) = (place, filling(view, pods.namespace(), &mut missing)) {
                state(view, (quota, pods), (&missing, place), &first, found);
            }
        }
    }
}

/// Compute resources that a quota counts must be named by every container: kubernetes v1.36.4
/// `pkg/quota/v1/evaluator/core/pods.go` `Constraints`.
fn missing<'a>(quota: &'a Object, pods: &Pods<'a>) -> (Missing<'a>, Option<Place>) {
    let mut missing = Missing::new();
    let mut place = None;
    for container in pods.all_containers() {
        for (name, _) in quota::hard(quota) {
            let Some((amount, resource)) = quota::compute(name) else { continue };
            if amounts::named(container, amount, resource).is_none() {
                missing.entry(name).or_default().insert(container.text_at(&["name"]).unwrap_or_default());
                place.get_or_insert(container.place);
            }
        }
    }
    (missing, place)
}

/// Any LimitRange that fills in everything. What no LimitRange fills in can come from nowhere, and is all that is then
/// missing for good. Where only several together fill in everything, no one of them can be named.
fn filling(view: &View<'_>, namespace: &str, missing: &mut Missing<'_>) -> Option<Clause> {
    let ranges = amounts::ranges(view, namespace);
    let fills = |range: &Object, name: &str| {
        quota::compute(name)
            .is_some_and(|(amount, resource)| amounts::filled_in(range, amount, resource).is_some())
    };
    let is_hopeless = |name: &str| !ranges.iter().any(|range| fills(range, name));
    if missing.keys().any(|name| is_hopeless(name)) {
        missing.retain(|name, _| is_hopeless(name));
        return Some(Clause(Vec::new()));
    }
    let all = ranges.iter().filter(|range| missing.keys().all(|name| fills(range, name)));
    let first: Vec<_> = all.map(|range| range.id.at(Stored)).collect();
    (!first.is_empty()).then_some(Clause(first))
}

fn state(
    view: &View<'_>,
    (quota, pods): (&Object, &Pods<'_>),
    (missing, place): (&Missing<'_>, Place),
    first: &Clause,
    found: &mut Found,
) {
    let listed = |names: &BTreeSet<&str>| names.iter().copied().collect::<Vec<_>>().join(",");
    let each: Vec<String> = missing.iter().map(|(name, on)| format!("{name} for: {}", listed(on))).collect();
    let names: Vec<&str> = missing.keys().copied().collect();
    // A namespace that the input does not bring may have a LimitRange already.
    let is_known = !first.0.is_empty() || view.delivers(&pods.home());
    let confidence = if is_known { Confidence::Proved } else { Confidence::Assumed };
    for (creation, reading) in pods.creations(view) {
        RULE.requires(first.clone(), creation)
            .read(reading)
            .sure(confidence)
            .at(place)
            .says(format!("{} names no {}, which {} counts", pods.owner.id, names.join(", "), quota.id))
            .answered(
                Actor::ApiServer,
                format!("counts a pod of {} against {}", pods.owner.id, quota.id),
                format!(
                    "pods \"{}\" is forbidden: failed quota: {}: must specify {}",
                    pods.pod_name(),
                    quota.id.name(),
                    each.join("; ")
                ),
            )
            .push_window(vec![quota.id.at(Stored).into()], found);
    }
}
