//! A webhook configuration works from the moment it is stored; it is *serving* once every service it calls answers.
//! That the API server trusts the certificate it then sees is a rule's business.

use super::stored;
use crate::read::backend;
use crate::rule::Found;
use plimsoll_model::Milestone::{Ready, Serving};
use plimsoll_model::{Clause, Delay, Object};
use std::collections::BTreeSet;

pub(super) fn live(object: &Object, found: &mut Found) {
    found.cause(object.id.at(Ready), stored(object), Delay::NONE);
    let clients = object.root.list_at(&["webhooks"]).iter().filter_map(|webhook| webhook.get("clientConfig"));
    let services: BTreeSet<_> = clients.filter_map(backend::service).collect();
    let mut after = stored(object);
    after.extend(services.iter().map(|service| Clause::one(service.at(Serving))));
    found.cause(object.id.at(Serving), after, Delay::NONE);
}
