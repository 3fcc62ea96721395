//! PLM-R006: an instance in another version than the stored one may be sent before its CRD's converter answers.
//!
//! Work in the storage version never calls the converter: seen on a real server v1.36.4.

use crate::read::{answer, backend, crd};
use crate::rule::{Found, Rule};
use crate::view::View;
use plimsoll_model::Milestone::{Serving, Stored};
use plimsoll_model::{Actor, Class, Code, Moment, Node, Object, ObjectId};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R006"),
    name: "instance-before-conversion-webhook",
    class: Class::WebhookNotServing,
    page: include_str!("instance_before_conversion_webhook.md"),
    find,
};

fn find(view: &View<'_>, found: &mut Found) {
    for delivered in view.deliveries() {
        let object = delivered.object;
        let Some(definition) = view.crd(object.id.group(), object.id.kind()) else { continue };
        let Some(client) = crd::converter(definition) else { continue };
        if crd::storage(definition) == Some(&object.version) || !crd::serves(definition, &object.version) {
            continue;
        }
        let text = failure(view, object, client);
        RULE.requires(definition.id.at(Serving), Moment::request(delivered.step, &object.id, Stored))
            .at(object.place_of(&["apiVersion"]))
            .says(format!(
                "{} in {} is converted by the webhook of {}",
                object.id,
                object.api_version(),
                definition.id
            ))
            .answered(
                Actor::ApiServer,
                "converts it to the storage version",
                answer::refused(view, *delivered, "", &text),
            )
            .push(found);
    }
}

/// apiextensions-apiserver v0.36.4 `pkg/apiserver/conversion/webhook_converter.go`.
fn failure(view: &View<'_>, object: &Object, client: &Node) -> String {
    let service = backend::service(client);
    let name = service.as_ref().map_or("", ObjectId::name);
    let cause = if service.as_ref().is_some_and(|service| view.is_sent_before(service, &object.id)) {
        format!("no endpoints available for service \"{name}\"")
    } else {
        format!("service \"{name}\" not found")
    };
    format!(
        "conversion webhook for {}, Kind={} failed: Post \"{}?timeout=30s\": {cause}",
        object.api_version(),
        object.id.kind(),
        backend::url(client)
    )
}
