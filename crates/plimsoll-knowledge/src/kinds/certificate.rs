//! A Certificate brings its Secret, and is ready only after that; an annotated Ingress brings a Certificate.
//!
//! cert-manager v1.21.2 `pkg/controller/certificates/issuing`, `pkg/controller/certificate-shim/sync.go`. A request
//! to an issuer that is not ready waits for it without failing: `pkg/controller/certificaterequests/sync.go`.

use super::stored;
use crate::delays::DELAYS;
use crate::rule::Found;
use crate::view::View;
use plimsoll_model::Milestone::{Observed, Ready, Stored};
use plimsoll_model::{Clause, Delay, Node, Object, ObjectId};

pub(super) fn live(view: &View<'_>, object: &Object, found: &mut Found) {
    found.cause(object.id.at(Observed), stored(object), Delay::NONE);
    let Some(name) = object.text_at(&["spec", "secretName"]) else { return };
    let secret = ObjectId::new("", "Secret", object.id.namespace(), name);
    let issuer = object.root.at(&["spec", "issuerRef"]).and_then(|reference| issuer(object, reference));
    found.bring(&secret, &object.id, issued(view, object, issuer), DELAYS.certificate_issued.delay());
    // The Secret is written before the condition is set, so a wait for Ready proves the Secret.
    found.cause(object.id.at(Ready), vec![secret.at(Stored).into()], Delay::NONE);
}

/// `cert-manager.io/issuer` or `cert-manager.io/cluster-issuer` on an Ingress or Gateway makes a Certificate for each
/// TLS Secret that it names.
pub(super) fn live_annotated(view: &View<'_>, object: &Object, found: &mut Found) {
    super::custom_resource::live(view, object, found);
    let annotation = |key| object.root.at(&["metadata", "annotations"])?.text_at(&[key]);
    let issuer = match (annotation("cert-manager.io/issuer"), annotation("cert-manager.io/cluster-issuer")) {
        (Some(name), _) => ObjectId::new("cert-manager.io", "Issuer", object.id.namespace(), name),
        (None, Some(name)) => ObjectId::new("cert-manager.io", "ClusterIssuer", None, name),
        (None, None) => return,
    };
    for name in named_secrets(object) {
        let secret = ObjectId::new("", "Secret", object.id.namespace(), name);
        if !view.delivers(&secret) {
            let after = issued(view, object, Some(issuer.clone()));
            found.bring(&secret, &object.id, after, DELAYS.certificate_issued.delay());
        }
    }
}

/// The TLS Secrets that an Ingress or Gateway names.
fn named_secrets(object: &Object) -> Vec<&str> {
    let ingress = object.root.list_at(&["spec", "tls"]).iter().filter_map(|tls| tls.text_at(&["secretName"]));
    let listeners = object.root.list_at(&["spec", "listeners"]).iter();
    let references = listeners.flat_map(|listener| listener.list_at(&["tls", "certificateRefs"]));
    let mut names: Vec<_> = ingress.chain(references.filter_map(|one| one.text_at(&["name"]))).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// What comes before a Secret is written: cert-manager has seen who asks for it, and the issuer is ready.
fn issued(view: &View<'_>, object: &Object, issuer: Option<ObjectId>) -> Vec<Clause> {
    let mut after = vec![object.id.at(Observed).into()];
    after.extend(issuer.filter(|issuer| view.delivers(issuer)).map(|issuer| Clause::one(issuer.at(Ready))));
    after
}

fn issuer(object: &Object, reference: &Node) -> Option<ObjectId> {
    let group = reference.text_at(&["group"]).unwrap_or("cert-manager.io");
    let kind = reference.text_at(&["kind"]).unwrap_or("Issuer");
    let namespace = if kind.ends_with("ClusterIssuer") { None } else { object.id.namespace() };
    Some(ObjectId::new(group, kind, namespace, reference.text_at(&["name"])?))
}
