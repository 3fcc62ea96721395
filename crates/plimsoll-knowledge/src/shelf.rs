//! The chart shelf: what popular charts bring, each as a small chart of our own under `data/shelf`.
//!
//! A stand-in has the objects, names, phases and conditions of the chart, and of each object only what rules ask for.
//! Its comments name the files where that was read; `cargo xtask charts shelf` holds it against the charts themselves.

use plimsoll_model::StandIn;

/// The files of a stand-in, besides what all share.
macro_rules! stand_in {
    ($name:literal: $($file:literal),+) => {
        StandIn {
            name: $name,
            files: &[
                ("templates/_outlines.tpl", include_str!("../data/shelf/outlines.tpl")),
                $(($file, include_str!(concat!("../data/shelf/", $name, "/", $file)))),+
            ],
        }
    };
}

static SHELF: &[StandIn] = &[
    stand_in!("cert-manager": "Chart.yaml", "values.yaml", "templates/definitions.yaml", "templates/objects.yaml"),
    stand_in!("external-secrets": "Chart.yaml", "values.yaml", "templates/definitions.yaml", "templates/objects.yaml"),
    stand_in!("postgresql": "Chart.yaml", "values.yaml", "templates/objects.yaml"),
];

/// Every chart that is known, by name.
#[must_use]
pub fn shelf() -> &'static [StandIn] {
    SHELF
}
