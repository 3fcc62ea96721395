//! A webhook configuration works from the moment it is stored; it is *serving* once every Service it calls is stored
//! and has a ready pod.
//!
//! What is left then, the programming of endpoints and the injection of a CA, takes well under a second and counts
//! for no gap of its own here; a rule says the latter where someone wants to hear it.

use super::{service, stored};
use crate::read::backend;
use crate::rule::Found;
use crate::view::View;
use plimsoll_model::Milestone::{Ready, Serving};
use plimsoll_model::{Delay, Node, Object};
use std::collections::BTreeSet;

pub(super) fn live(view: &View<'_>, object: &Object, found: &mut Found) {
    found.cause(object.id.at(Ready), stored(object), Delay::NONE);
    let clients =
        object.root.list_at(&["webhooks"]).iter().filter_map(|webhook: &Node| webhook.get("clientConfig"));
    let services: BTreeSet<_> = clients.filter_map(backend::service).collect();
    let mut after = stored(object);
    after.extend(services.iter().flat_map(|id| service::answers(view, id)));
    found.cause(object.id.at(Serving), after, Delay::NONE);
}
