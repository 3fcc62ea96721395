//! The chart shelf: what popular charts bring, each as a small chart of our own under `data/shelf`.
//!
//! A stand-in has the objects, names, phases and conditions of the chart, and of each object only what rules ask for.
//! `cargo xtask charts outline` writes one; `cargo xtask charts shelf` holds all against the charts themselves.

/// What all stand-ins share.
const OUTLINES: (&str, &str) = ("templates/_outlines.tpl", include_str!("../data/shelf/outlines.tpl"));

/// The files of a stand-in, besides what all share.
macro_rules! stand_in {
    ($name:literal: $($file:literal),+) => {
        StandIn {
            name: $name,
            files: &[
                super::OUTLINES,
                $(($file, include_str!(concat!("../../data/shelf/", $name, "/", $file)))),+
            ],
        }
    };
}

mod list;

use plimsoll_model::StandIn;

/// Every chart that is known, by name.
#[must_use]
pub fn shelf() -> &'static [StandIn] {
    list::SHELF
}
