//! PLM-R005: a webhook that refuses what it cannot check may be asked about what it needs itself.

use crate::read::webhook;
use crate::rule::{Found, Rule};
use crate::view::View;
use plimsoll_model::Milestone::{Serving, Stored};
use plimsoll_model::{Class, Code, Confidence};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R005"),
    name: "webhook-before-its-own-backend",
    class: Class::WebhookNotServing,
    page: include_str!("webhook_before_its_own_backend.md"),
    find,
};

/// Whoever lets namespaces opt out by a label has put it on the one of the webhook itself, if that is not in the input.
fn spared(sure: Confidence) -> Confidence {
    if sure == Confidence::Proved { sure } else { Confidence::Heuristic }
}

fn find(view: &View<'_>, found: &mut Found) {
    for (webhook, own) in webhook::closed(view) {
        let configuration = &webhook.configuration.id;
        for write in webhook.intercepted(view).iter().filter(|write| own.contains(&write.owner.id)) {
            let failure = write.refusal(view, "InternalError", &webhook.failure(view, write));
            RULE.requires(configuration.at(Serving), write.then.clone())
                .read(write.reading)
                .sure(spared(write.confidence))
                .at(write.place())
                .says(format!(
                    "{} must pass webhook {} of {configuration}, which itself needs {}",
                    write.what(),
                    webhook.name(),
                    write.owner.id
                ))
                .answered(write.actor(), format!("calls webhook {}", webhook.name()), failure)
                .mended("leave it out of the webhook with a namespaceSelector or objectSelector")
                .push_window(vec![configuration.at(Stored).into()], found);
        }
    }
}
