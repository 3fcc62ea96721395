//! PLM-R007: an object may be stored before the webhook that should change or check it, and nobody notices.
//!
//! Of a webhook that refuses what it cannot check only the registration counts here, and only where it changes
//! objects: to check old objects no later is what such a webhook's authors ask for when they say "register it last".

use crate::injectors;
use crate::read::webhook::Webhook;
use crate::read::{backend, intercepted::Intercepted, webhook};
use crate::rule::{Found, Rule};
use crate::view::View;
use plimsoll_model::Milestone::{Serving, Stored};
use plimsoll_model::{Class, Code, Confidence, Delivery, ObjectId, Reading, Tool};
use std::collections::BTreeSet;

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R007"),
    name: "object-before-ignored-webhook",
    class: Class::PolicyWindow,
    page: include_str!("object_before_ignored_webhook.md"),
    find,
};

fn find(view: &View<'_>, found: &mut Found) {
    for webhook in webhook::all(view) {
        let configuration = &webhook.configuration.id;
        if webhook.fails_closed() && !webhook.is_mutating() {
            continue;
        }
        let own = webhook.service().map(|service| backend::needs(view, &service)).unwrap_or_default();
        for write in &webhook.intercepted(view) {
            let Some(sure) = meant(view, &webhook, &own, write) else { continue };
            let is_tolerated =
                !webhook.fails_closed() && is_of_one_chart(view, configuration, &write.owner.id);
            let sure = if is_tolerated { Confidence::Heuristic } else { sure };
            let milestone = if webhook.fails_closed() { Stored } else { Serving };
            let verb = if webhook.is_mutating() { "changed" } else { "checked" };
            RULE.requires(configuration.at(milestone), write.then.clone())
                .read(Reading::OnceSilently)
                .sure(sure)
                .at(write.place())
                .says(format!(
                    "{} must be {verb} by webhook {} of {configuration}",
                    write.what(),
                    webhook.name()
                ))
                .answered(write.actor(), format!("admits it without webhook {}", webhook.name()), "")
                .push(found);
        }
    }
}

/// Whether one release of Helm brings both. Who wrote the chart knows the order, and lets such writes pass.
fn is_of_one_chart(view: &View<'_>, configuration: &ObjectId, owner: &ObjectId) -> bool {
    let step = view.step_of(configuration);
    let is_helm = |delivery: &Delivery| delivery.tool == Tool::Helm;
    step == view.step_of(owner) && step.and_then(|step| view.delivery(step)).is_some_and(is_helm)
}

/// Whether the webhook is meant for the write, and how sure that is. Its selectors say so where they ask for a label; of
/// some it is known which annotation asks for it. Any other webhook decides by itself: that is assumed, and not at all
/// of what comes with it, its neighbours in the namespace and cluster-wide objects. A kind that the input defines comes
/// with webhooks of its own, as do others whose group is in the name of the webhook; they spare people the writing of
/// defaults, and that the controller needs them is a guess.
fn meant(
    view: &View<'_>,
    webhook: &Webhook<'_>,
    own: &BTreeSet<ObjectId>,
    write: &Intercepted<'_>,
) -> Option<Confidence> {
    if own.contains(&write.owner.id) {
        return None;
    }
    if let Some(injector) = injectors::of(webhook) {
        return injector.is_asked(view, write).then_some(write.confidence);
    }
    let (criteria, request) = (webhook.criteria(), &write.request);
    // Whether an object that was not checked would have been refused is not known either.
    if webhook.is_mutating() && criteria.opts_in() {
        return Some(write.confidence);
    }
    let group = request.id.group();
    let is_builtin = plimsoll_schema::is_builtin_group(group);
    let is_of_its_operator = !is_builtin && webhook.name().ends_with(group);
    if is_of_its_operator || view.crd(group, request.id.kind()).is_some() {
        return Some(Confidence::Heuristic);
    }
    let is_custom = !is_builtin && criteria.names(&request.resource);
    let home = webhook.service();
    let home = home.as_ref().and_then(ObjectId::namespace);
    let is_elsewhere = request.id.namespace().is_some_and(|namespace| Some(namespace) != home);
    let is_meant = is_elsewhere || is_custom || criteria.opts_in();
    is_meant.then(|| write.confidence.min(Confidence::Assumed))
}
