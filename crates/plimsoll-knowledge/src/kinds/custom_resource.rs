//! Any other kind: once stored it counts as observed, and becomes ready by a controller of which little is known: what it
//! makes of the object, it makes before that.

use super::{definer, follow, stored};
use crate::delays::DELAYS;
use crate::products::products;
use crate::rule::Found;
use crate::view::View;
use plimsoll_model::Milestone::{Complete, Established, Observed, Ready, Serving, Started, Stored};
use plimsoll_model::{Clause, Delay, Object};

pub(super) fn live(view: &View<'_>, object: &Object, found: &mut Found) {
    found.cause(object.id.at(Observed), stored(object), Delay::NONE);
    // If its operator makes pods, they are there by then.
    follow(found, object.id.at(Started), object.id.at(Observed), &DELAYS.made);
    let mut after: Vec<Clause> = vec![object.id.at(Observed).into()];
    for product in products(view, object) {
        found.bring(&product.id, &object.id, vec![object.id.at(Observed).into()], DELAYS.made.delay());
        after.push(product.id.at(Stored).into());
        if product.id.is("", "Service") {
            follow(found, product.id.at(Serving), object.id.at(Ready), &DELAYS.request);
        }
    }
    let definitions = definer::install(view, object, found);
    after.extend(definitions.iter().map(|crd| Clause::one(crd.at(Established))));
    found.cause(object.id.at(Ready), after, DELAYS.custom_ready.delay());
    follow(found, object.id.at(Complete), object.id.at(Ready), &DELAYS.custom_ready);
}
