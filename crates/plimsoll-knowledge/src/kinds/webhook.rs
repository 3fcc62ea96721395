//! A webhook configuration works from the moment it is stored; it is *serving* once every service it calls answers
//! with a certificate that the API server trusts.

use super::stored;
use crate::delays::DELAYS;
use crate::read::{backend, injected_ca};
use crate::rule::Found;
use crate::view::View;
use plimsoll_model::Milestone::{Ready, Serving};
use plimsoll_model::{Clause, Delay, Object};
use std::collections::BTreeSet;

pub(super) fn live(view: &View<'_>, object: &Object, found: &mut Found) {
    found.cause(object.id.at(Ready), stored(object), Delay::NONE);
    let clients = object.root.list_at(&["webhooks"]).iter().filter_map(|webhook| webhook.get("clientConfig"));
    let services: BTreeSet<_> = clients.filter_map(backend::service).collect();
    let mut after = stored(object);
    after.extend(services.iter().map(|service| Clause::one(service.at(Serving))));
    let injected = injected_ca::of(view, object).map(|(injected, _)| injected);
    let delay = if injected.is_some() { DELAYS.ca_injected.delay() } else { Delay::NONE };
    after.extend(injected.map(Clause::one));
    found.cause(object.id.at(Serving), after, delay);
}
