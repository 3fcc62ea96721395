//! A Service answers once a pod behind it is ready; an aggregated API once its Service answers.

use super::stored;
use crate::delays::DELAYS;
use crate::read::{backend, injected_ca};
use crate::rule::Found;
use crate::view::View;
use plimsoll_model::Milestone::{Discoverable, Ready, Serving, Started};
use plimsoll_model::{Clause, Delay, Object, ObjectId};

/// A Service without a selector, or one whose pods are outside the input, answers as soon as it is stored: who
/// stands behind it is not known here.
pub(super) fn live(view: &View<'_>, object: &Object, found: &mut Found) {
    let after = answers(view, &object.id);
    let is_known = after.len() > 1;
    let delay = if is_known { DELAYS.endpoints_published.delay() } else { Delay::NONE };
    found.cause(object.id.at(Serving), after, delay);
    found.cause(object.id.at(Ready), stored(object), Delay::NONE);
}

/// What must have happened for a Service to answer: it is stored, and a pod behind it is ready, or has started where
/// it publishes addresses of pods that are not. Of a Service outside the input only the outcome is known.
pub(super) fn answers(view: &View<'_>, id: &ObjectId) -> Vec<Clause> {
    let Some(object) = view.object(id) else { return vec![id.at(Serving).into()] };
    let publishes_all = object.root.bool_at(&["spec", "publishNotReadyAddresses"]) == Some(true);
    let milestone = if publishes_all { Started } else { Ready };
    let pods: Vec<_> =
        backend::workloads(view, object).iter().map(|pods| pods.owner.id.at(milestone)).collect();
    let mut after = stored(object);
    if !pods.is_empty() {
        after.push(Clause(pods));
    }
    after
}

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
