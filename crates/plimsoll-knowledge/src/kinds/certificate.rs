//! A Certificate brings its Secret, and is ready only after that; an annotated Ingress brings a Certificate.
//!
//! cert-manager v1.21.2 `pkg/controller/certificates/issuing`, `pkg/controller/certificate-shim/sync.go`.

use super::stored;
use crate::delays::DELAYS;
use crate::rule::Found;
use crate::view::View;
use plimsoll_model::Milestone::{Ready, Stored};
use plimsoll_model::{Cause, Delay, Object, ObjectId};

pub(super) fn live(object: &Object, found: &mut Found) {
    let Some(name) = object.text_at(&["spec", "secretName"]) else { return };
    let secret = ObjectId::new("", "Secret", object.id.namespace(), name);
    found.causes.push(Cause {
        moment: secret.at(Stored),
        after: stored(object),
        delay: DELAYS.certificate_issued.delay(),
        carrier: Some(object.id.clone()),
    });
    // The Secret is written before the condition is set, so a wait for Ready proves the Secret.
    found.cause(object.id.at(Ready), vec![secret.at(Stored).into()], Delay::NONE);
}

/// `cert-manager.io/issuer` or `cert-manager.io/cluster-issuer` on an Ingress makes a Certificate for each TLS Secret.
pub(super) fn live_ingress(view: &View<'_>, object: &Object, found: &mut Found) {
    super::custom_resource::live(object, found);
    let annotations = object.root.at(&["metadata", "annotations"]);
    let annotated = |key| annotations.is_some_and(|annotations| annotations.get(key).is_some());
    if !annotated("cert-manager.io/issuer") && !annotated("cert-manager.io/cluster-issuer") {
        return;
    }
    for name in object.root.list_at(&["spec", "tls"]).iter().filter_map(|tls| tls.text_at(&["secretName"])) {
        let secret = ObjectId::new("", "Secret", object.id.namespace(), name);
        if view.delivers(&secret) {
            continue;
        }
        found.causes.push(Cause {
            moment: secret.at(Stored),
            after: stored(object),
            delay: DELAYS.certificate_issued.delay(),
            carrier: Some(object.id.clone()),
        });
    }
}
