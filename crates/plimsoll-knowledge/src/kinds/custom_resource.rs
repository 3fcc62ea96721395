//! Any other kind: once stored it counts as observed, and becomes ready by a controller of which nothing is known.

use super::{follow, stored};
use crate::delays::DELAYS;
use crate::rule::Found;
use plimsoll_model::Milestone::{Complete, Observed, Ready};
use plimsoll_model::{Delay, Object};

pub(super) fn live(object: &Object, found: &mut Found) {
    found.cause(object.id.at(Observed), stored(object), Delay::NONE);
    follow(found, object.id.at(Ready), object.id.at(Observed), &DELAYS.custom_ready);
    follow(found, object.id.at(Complete), object.id.at(Ready), &DELAYS.custom_ready);
}
