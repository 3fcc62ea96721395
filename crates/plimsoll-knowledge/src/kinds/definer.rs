//! An object of which an operator makes a definition brings that CRD, and is established only after it.

use crate::definers::defined;
use crate::delays::DELAYS;
use crate::rule::Found;
use crate::view::View;
use plimsoll_model::Milestone::{Established, Observed, Stored};
use plimsoll_model::{Clause, Delay, Object};

pub(super) fn live(view: &View<'_>, object: &Object, found: &mut Found) {
    let mut all: Vec<Clause> = Vec::new();
    for made in defined(object) {
        if !view.delivers(&made.crd) {
            let seen = vec![object.id.at(Observed).into()];
            found.bring(&made.crd, &object.id, seen, DELAYS.made.delay());
            let stored = vec![made.crd.at(Stored).into()];
            found.cause(made.crd.at(Established), stored, DELAYS.crd_established.delay());
        }
        all.push(made.crd.at(Established).into());
    }
    if !all.is_empty() {
        found.cause(object.id.at(Established), all, Delay::NONE);
    }
}
