//! A CRD's API is served once it is established, and found by clients a little later; with a placeholder in place of
//! its converter's CA not before the CA is filled in. It converts once the Service behind its converter answers.

use super::stored;
use crate::delays::DELAYS;
use crate::read::{backend, crd, injected_ca};
use crate::rule::Found;
use crate::view::View;
use plimsoll_model::Milestone::{Discoverable, Established, Ready, Serving};
use plimsoll_model::{Clause, Delay, Object};

pub(super) fn live(view: &View<'_>, object: &Object, found: &mut Found) {
    let mut after = stored(object);
    let mut delay = DELAYS.crd_established.delay();
    if crd::has_placeholder_ca(object)
        && let Some((injected, _)) = injected_ca::of(view, object)
    {
        after.push(injected.into());
        delay = DELAYS.ca_injected.delay();
    }
    found.cause(object.id.at(Established), after, delay);
    let established = Clause::one(object.id.at(Established));
    found.cause(object.id.at(Discoverable), vec![established.clone()], DELAYS.crd_discoverable.delay());
    found.cause(object.id.at(Ready), vec![established.clone()], Delay::NONE);
    let mut after = vec![established];
    let converter = crd::converter(object).and_then(backend::service);
    after.extend(converter.map(|service| Clause::one(service.at(Serving))));
    found.cause(object.id.at(Serving), after, Delay::NONE);
}
