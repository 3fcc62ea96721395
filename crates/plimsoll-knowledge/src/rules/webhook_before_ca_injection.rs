//! PLM-R035: a webhook may be called before cert-manager has filled in the CA by which the API server trusts it.

use crate::read::{backend, injected_ca, webhook};
use crate::rule::{Found, Rule};
use crate::view::View;
use plimsoll_model::Milestone::Stored;
use plimsoll_model::{Class, Code, Confidence};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R035"),
    name: "webhook-before-ca-injection",
    class: Class::WebhookNotServing,
    page: include_str!("webhook_before_ca_injection.md"),
    find,
};

const UNTRUSTED: &str = "tls: failed to verify certificate: x509: certificate signed by unknown authority";

fn find(view: &View<'_>, found: &mut Found) {
    for webhook in webhook::all(view).into_iter().filter(webhook::Webhook::fails_closed) {
        let configuration = &webhook.configuration;
        let Some((injected, place)) = injected_ca::of(view, configuration) else { continue };
        // What writes the Secret is not stated in an outline.
        let is_brought = injected.object().is_some_and(|id| view.delivers(id));
        if !configuration.is_whole() && !is_brought {
            continue;
        }
        let own = webhook.service().map(|service| backend::needs(view, &service)).unwrap_or_default();
        for write in webhook.intercepted(view).iter().filter(|write| !own.contains(&write.owner.id)) {
            RULE.requires(injected.clone(), write.then.clone())
                .read(write.reading)
                .sure(Confidence::Heuristic)
                .at(place)
                .says(format!(
                    "{} must pass webhook {} of {}, whose CA is injected",
                    write.what(),
                    webhook.name(),
                    configuration.id
                ))
                .answered(
                    write.actor(),
                    format!("calls webhook {}", webhook.name()),
                    write.refusal(view, "InternalError", &webhook.failed(UNTRUSTED)),
                )
                .push_window(vec![configuration.id.at(Stored).into()], found);
        }
    }
}
