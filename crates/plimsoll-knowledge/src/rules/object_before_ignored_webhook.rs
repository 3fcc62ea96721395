//! PLM-R007: an object may be stored before the webhook that should change or check it, and nobody notices.
//!
//! Of a webhook that refuses what it cannot check only the registration counts here, and only where it changes
//! objects: to check old objects no later is what such a webhook's authors ask for when they say "register it last".

use crate::read::webhook::Webhook;
use crate::read::{backend, intercepted::Intercepted, webhook};
use crate::rule::{Found, Rule};
use crate::view::View;
use plimsoll_model::Milestone::Stored;
use plimsoll_model::{Class, Clause, Code, Confidence, ObjectId, Reading};
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
        for write in webhook.intercepted(view).iter().filter(|write| is_meant(&webhook, &own, write)) {
            let first = if webhook.fails_closed() {
                Clause::one(configuration.at(Stored))
            } else {
                webhook.answers(view, &write.owner.id)
            };
            let verb = if webhook.is_mutating() { "changed" } else { "checked" };
            RULE.requires(first, write.then.clone())
                .read(Reading::OnceSilently)
                .sure(sure(&webhook, write))
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

/// A webhook is not meant for what brings it up: its own backend and, unless its rules name them, its neighbours in
/// that namespace and the cluster-wide objects that come with it, such as roles and definitions.
fn is_meant(webhook: &Webhook<'_>, own: &BTreeSet<ObjectId>, write: &Intercepted<'_>) -> bool {
    let home = webhook.service();
    let home = home.as_ref().and_then(ObjectId::namespace);
    let namespace = write.request.id.namespace();
    let is_elsewhere = namespace.is_some() && namespace != home;
    !own.contains(&write.owner.id) && (is_elsewhere || webhook.criteria().names(&write.request.resource))
}

/// Whether an object that was not checked is one that would have been refused is not known.
fn sure(webhook: &Webhook<'_>, write: &Intercepted<'_>) -> Confidence {
    if webhook.is_mutating() { write.confidence } else { write.confidence.min(Confidence::Assumed) }
}
