//! PLM-R004: a write may be shown to a webhook that refuses what it cannot check, before anything answers there.

use crate::read::webhook;
use crate::rule::{Found, Rule};
use crate::view::View;
use plimsoll_model::Milestone::{Serving, Stored};
use plimsoll_model::{Class, Clause, Code};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R004"),
    name: "write-before-webhook-answers",
    class: Class::WebhookNotServing,
    page: include_str!("write_before_webhook_answers.md"),
    find,
};

fn find(view: &View<'_>, found: &mut Found) {
    for (webhook, own) in webhook::closed(view) {
        let configuration = &webhook.configuration.id;
        let first =
            if webhook.lacks_port(view) { Clause(Vec::new()) } else { configuration.at(Serving).into() };
        for write in webhook.intercepted(view).iter().filter(|write| !own.contains(&write.owner.id)) {
            let failure = write.refusal(view, "InternalError", &webhook.failure(view, write));
            let statement = RULE.requires(first.clone(), write.then.clone());
            let statement = if first.0.is_empty() {
                statement.mended(format!("let {configuration} name a port that its Service has"))
            } else {
                statement
            };
            statement
                .read(write.reading)
                .sure(write.confidence)
                .at(write.place())
                .says(format!("{} must pass webhook {} of {configuration}", write.what(), webhook.name()))
                .answered(write.actor(), format!("calls webhook {}", webhook.name()), failure)
                .push_window(vec![configuration.at(Stored).into()], found);
        }
    }
}
