//! A Service answers once a pod behind it is ready; an aggregated API once its Service answers.

use super::stored;
use crate::delays::DELAYS;
use crate::read::{backend, injected_ca};
use crate::rule::Found;
use crate::view::View;
use plimsoll_model::Milestone::{Discoverable, Ready, Serving};
use plimsoll_model::{Clause, Delay, Object, ObjectId};

/// A Service without a selector, or one whose pods are outside the input, answers as soon as it is stored: who
/// stands behind it is not known here. The publication of endpoints takes no time of its own here: 22 to 36 ms on a
/// real server v1.36.4 without kube-proxy.
pub(super) fn live(view: &View<'_>, object: &Object, found: &mut Found) {
    let milestone = backend::published(object);
    let pods: Vec<_> =
        backend::workloads(view, object).iter().map(|pods| pods.owner.id.at(milestone)).collect();
    let mut after = stored(object);
    if !pods.is_empty() {
        after.push(Clause(pods));
    }
    found.cause(object.id.at(Serving), after, Delay::NONE);
    found.cause(object.id.at(Ready), stored(object), Delay::NONE);
    for name in CERTIFICATES.iter().filter_map(|name| object.text_at(&["metadata", "annotations", name])) {
        let secret = ObjectId::new("", "Secret", object.id.namespace(), name);
        found.bring(&secret, &object.id, stored(object), DELAYS.made.delay());
    }
}

/// Where OpenShift is asked for a certificate of a Service: openshift/service-ca-operator `pkg/controller/api/api.go`.
const CERTIFICATES: [&str; 2] = [
    "service.beta.openshift.io/serving-cert-secret-name",
    "service.alpha.openshift.io/serving-cert-secret-name",
];

/// An aggregated API is available, and its kinds are discoverable, once the Service behind it answers with a
/// certificate that the API server trusts; one without a Service is the API server's own.
pub(super) fn live_api(view: &View<'_>, object: &Object, found: &mut Found) {
    let mut after = stored(object);
    let mut delay = Delay::NONE;
    if let Some(service) = object.root.get("spec").and_then(backend::service) {
        after.push(service.at(Serving).into());
        after.extend(injected_ca::of(view, object).map(|(injected, _)| Clause::one(injected)));
        delay = DELAYS.api_available.delay();
    }
    found.cause(object.id.at(Ready), after, delay);
    found.cause(object.id.at(Discoverable), vec![object.id.at(Ready).into()], Delay::NONE);
}
