//! A webhook configuration works from the moment it is stored; it is *serving* once every service it calls answers
//! with a certificate that the API server trusts.

use super::stored;
use crate::delays::DELAYS;
use crate::rule::Found;
use crate::view::View;
use plimsoll_model::Milestone::{Ready, Serving, Stored};
use plimsoll_model::{Clause, Delay, Object, ObjectId};

pub(super) fn live(view: &View<'_>, object: &Object, found: &mut Found) {
    found.cause(object.id.at(Ready), stored(object), Delay::NONE);
    let mut after = stored(object);
    after.extend(services(object).into_iter().map(|service| Clause::one(service.at(Serving))));
    let injected = injected_ca(view, object);
    let delay = if injected.is_some() { DELAYS.ca_injected.delay() } else { Delay::NONE };
    after.extend(injected);
    found.cause(object.id.at(Serving), after, delay);
}

/// The services that a webhook configuration calls, once each.
pub(crate) fn services(object: &Object) -> Vec<ObjectId> {
    let webhooks = object.root.list_at(&["webhooks"]).iter();
    let mut services: Vec<_> = webhooks
        .filter_map(|webhook| webhook.at(&["clientConfig", "service"]))
        .map(|service| {
            ObjectId::new(
                "",
                "Service",
                service.text_at(&["namespace"]),
                service.text_at(&["name"]).unwrap_or_default(),
            )
        })
        .collect();
    services.sort();
    services.dedup();
    services
}

/// The Secret from which cert-manager's CA injector fills in the CA bundle, if an annotation asks for it.
/// cert-manager v1.21.2 `pkg/controller/cainjector`.
pub(crate) fn injected_ca(view: &View<'_>, object: &Object) -> Option<Clause> {
    let annotations = object.root.at(&["metadata", "annotations"])?;
    let reference = |key: &str| annotations.get(key)?.text()?.split_once('/');
    if let Some((namespace, name)) = reference("cert-manager.io/inject-ca-from-secret") {
        return Some(ObjectId::new("", "Secret", Some(namespace), name).at(Stored).into());
    }
    let (namespace, name) = reference("cert-manager.io/inject-ca-from")?;
    let certificate = ObjectId::new("cert-manager.io", "Certificate", Some(namespace), name);
    let secret = view.object(&certificate)?.text_at(&["spec", "secretName"])?;
    Some(ObjectId::new("", "Secret", Some(namespace), secret).at(Stored).into())
}
