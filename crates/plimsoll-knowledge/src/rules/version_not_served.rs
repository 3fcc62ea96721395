//! PLM-R003: an object is written in an API version that the server does not serve.

use crate::read::{answer, api_service, crd};
use crate::rule::{Found, Rule};
use crate::tools::helm;
use crate::view::{Delivered, View};
use plimsoll_model::Milestone::{Checked, Complete, Gone, Submitted};
use plimsoll_model::{
    Action, Actor, Class, Clause, Code, Confidence, Moment, Object, Outside, Premise, Tool,
};
use plimsoll_schema::Served;
use std::sync::Arc;

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R003"),
    name: "version-not-served",
    class: Class::ApiVersionNotServed,
    page: include_str!("version_not_served.md"),
    find,
};

fn find(view: &View<'_>, found: &mut Found) {
    find_before(view, found);
    for delivered in view.deliveries() {
        let object = delivered.object;
        let Some(Unserved { why, remedy, sure, premise }) = why_not(view, object) else { continue };
        let refused = RULE.requires(Clause(Vec::new()), Moment::request(delivered.step, &object.id, Checked));
        let refused = if is_accepted_otherwise(view, *delivered) {
            refused.loses(Moment::step(delivered.step, Complete))
        } else {
            refused
        };
        refused
            .sure(sure)
            .given(premise)
            .at(object.place_of(&["apiVersion"]))
            .says(format!("{} is written in {}, {why}", object.id, object.api_version()))
            .answered(
                Actor::Tool,
                format!("looks up kind {} in version {}", object.id.kind(), object.api_version()),
                answer::not_mapped(view, *delivered),
            )
            .mended(remedy)
            .push(found);
    }
}

/// Whether kubectl brings the object all the same, by another declaration in a version that is served.
fn is_accepted_otherwise(view: &View<'_>, refused: Delivered<'_>) -> bool {
    let mut others = view.deliveries_of(&refused.object.id).filter(|other| other.step == refused.step);
    view.delivery(refused.step).is_some_and(|delivery| delivery.tool == Tool::Kubectl)
        && others.any(|other| why_not(view, other.object).is_none())
}

/// Helm looks up the kinds of the revision before as well; what the cluster has served then, it may not serve now.
fn find_before(view: &View<'_>, found: &mut Found) {
    for (index, step) in view.bundle.numbered_steps() {
        let Action::Deliver(unit) = &step.action else { continue };
        if unit.delivery.tool != Tool::Helm || !view.scene.operation.is_change() {
            continue;
        }
        for object in helm::before(view.bundle, unit) {
            let is_builtin = plimsoll_schema::is_builtin_group(object.id.group());
            let Some(Unserved { why, sure, .. }) = why_not(view, object).filter(|_| is_builtin) else {
                continue;
            };
            let delivered = Delivered { step: index, object };
            RULE.requires(Clause(Vec::new()), Moment::step(index, Submitted))
                .told(object.id.at(Gone))
                .sure(sure)
                .at(object.place_of(&["apiVersion"]))
                .says(format!("{} of the revision before is in {}, {why}", object.id, object.api_version()))
                .answered(
                    Actor::Tool,
                    format!("looks up kind {} of the revision before", object.id.kind()),
                    answer::not_mapped_before(view, delivered),
                )
                .mended("rewrite the record of the release with the plugin mapkubeapis before".to_owned())
                .push(found);
        }
    }
}

/// Why a version is not served, and what to do about it.
struct Unserved {
    why: String,
    remedy: String,
    sure: Confidence,
    premise: Option<Arc<Premise>>,
}

fn why_not(view: &View<'_>, object: &Object) -> Option<Unserved> {
    let (group, kind) = (object.id.group(), object.id.kind());
    if let Some(crd) = view.crd(group, kind) {
        let mut declarations = view.declarations(&crd.id);
        return by_crd(crd, object).filter(|_| !declarations.any(|one| crd::serves(one, &object.version)));
    }
    if let Some(outside) = view.outside(group, kind) {
        return by_operator(outside, object);
    }
    if !plimsoll_schema::is_builtin_group(group)
        || api_service::of(view, group, Some(&object.version)).is_some()
    {
        return None;
    }
    let version = view.scene.kube_version;
    match plimsoll_schema::served(version, group, &object.version, kind) {
        Served::Yes => None,
        // A placeholder that somebody fills in.
        Served::UnknownKind if !kind.bytes().all(|byte| byte.is_ascii_alphanumeric()) => None,
        Served::UnknownKind => Some(Unserved {
            why: format!("but no Kubernetes up to {} has a kind {kind} there", plimsoll_schema::newest()),
            remedy: "correct apiVersion and kind; `kubectl api-resources` lists what a cluster has"
                .to_owned(),
            // A version alone, with a kind that no group has, is rather the configuration of a program.
            sure: if object.api_version() == "v1"
                || plimsoll_schema::is_builtin_kind(kind)
                || !group.is_empty()
            {
                Confidence::Assumed
            } else {
                Confidence::Heuristic
            },
            premise: None,
        }),
        Served::No { removed_in, introduced_in, is_optional, instead } => {
            let why = match (removed_in, introduced_in) {
                _ if is_optional => {
                    format!("which Kubernetes {version} serves only if --runtime-config asks for it")
                }
                (Some(removed), _) => format!("which Kubernetes {removed} and later do not serve"),
                (_, Some(introduced)) => format!("which Kubernetes serves only from {introduced} on"),
                _ => format!("which Kubernetes {version} does not serve"),
            };
            let sure = if is_optional { Confidence::Assumed } else { Confidence::Proved };
            let otherwise = match removed_in {
                Some(_) => "take it out: no version of this kind is left",
                None => "use a cluster that serves it",
            };
            Some(Unserved { why, remedy: advice(&instead, otherwise), sure, premise: None })
        }
    }
}

fn by_crd(definition: &Object, object: &Object) -> Option<Unserved> {
    if crd::serves(definition, &object.version) {
        return None;
    }
    Some(Unserved {
        why: format!("which {} does not serve", definition.id),
        remedy: advice(&instead(definition), "let the definition serve it"),
        sure: Confidence::Proved,
        premise: None,
    })
}

/// By what is known of an operator that is not in the input.
fn by_operator(outside: &Outside, object: &Object) -> Option<Unserved> {
    let (name, version) = &outside.chart;
    let unserved = by_crd(&outside.definition, object)?;
    let served = crd::served(&outside.definition);
    if !outside.is_said && served.iter().all(|served| plimsoll_schema::is_later(&object.version, served)) {
        // A version of the operator may serve it that is newer than all that are known.
        return None;
    }
    let which = format!("; if another version of {name} is there, say so: --assume chart/{name}@VERSION");
    Some(Unserved {
        why: format!("which {name} {version} does not serve"),
        remedy: unserved.remedy + if outside.is_said { "" } else { &which },
        premise: outside.definition.premise.clone(),
        ..unserved
    })
}

fn instead(definition: &Object) -> Vec<String> {
    let group = definition.text_at(&["spec", "group"]).unwrap_or_default();
    crd::served(definition).iter().map(|version| format!("{group}/{version}")).collect()
}

fn advice(instead: &[impl AsRef<str>], otherwise: &str) -> String {
    let instead: Vec<&str> = instead.iter().map(AsRef::as_ref).collect();
    match instead.as_slice() {
        [] => otherwise.to_owned(),
        _ => format!("write apiVersion: {}; the fields may differ between versions", instead.join(" or ")),
    }
}
