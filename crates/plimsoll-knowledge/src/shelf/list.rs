//! Every stand-in and its files, as `cargo xtask charts outline` lists them.

use plimsoll_model::StandIn;

pub(super) static SHELF: &[StandIn] = &[
    stand_in!("cert-manager": "Chart.yaml", "values.yaml", "templates/definitions.yaml", "templates/objects.yaml"),
    stand_in!("external-secrets": "Chart.yaml", "values.yaml", "templates/definitions.yaml", "templates/objects.yaml"),
    stand_in!("ingress-nginx": "Chart.yaml", "values.yaml", "templates/objects.yaml"),
    stand_in!("postgresql": "Chart.yaml", "values.yaml", "templates/objects.yaml"),
];
