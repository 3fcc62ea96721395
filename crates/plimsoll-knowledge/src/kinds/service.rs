//! A Service answers once a pod behind it is ready; an aggregated API once its Service answers.

use super::stored;
use crate::delays::DELAYS;
use crate::read::selector::Labels;
use crate::rule::Found;
use crate::view::View;
use plimsoll_model::Milestone::{Discoverable, Ready, Serving};
use plimsoll_model::{Clause, Object, ObjectId};

/// A Service without a selector, or one whose pods are outside the input, answers as soon as it is stored: who
/// stands behind it is not known here.
pub(super) fn live(view: &View<'_>, object: &Object, found: &mut Found) {
    let selector = Labels::of(object.root.at(&["spec", "selector"]));
    let backends = view.pods_with(object.id.namespace().unwrap_or_default(), &selector);
    let ready: Vec<_> =
        backends.iter().filter(|pods| pods.run).map(|pods| pods.owner.id.at(Ready)).collect();
    let mut after = stored(object);
    if !ready.is_empty() {
        after.push(Clause(ready));
    }
    found.cause(object.id.at(Serving), after, DELAYS.endpoints_published.delay());
    found.cause(object.id.at(Ready), stored(object), plimsoll_model::Delay::NONE);
}

/// An aggregated API is available, and its kinds are discoverable, once the Service behind it answers.
pub(super) fn live_api(object: &Object, found: &mut Found) {
    let mut after = stored(object);
    if let Some(service) = object.root.at(&["spec", "service"]) {
        let namespace = service.text_at(&["namespace"]);
        let name = service.text_at(&["name"]).unwrap_or_default();
        after.push(ObjectId::new("", "Service", namespace, name).at(Serving).into());
    }
    found.cause(object.id.at(Ready), after, DELAYS.api_available.delay());
    found.cause(object.id.at(Discoverable), vec![object.id.at(Ready).into()], plimsoll_model::Delay::NONE);
}
