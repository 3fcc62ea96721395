//! A Namespace brings its `default` ServiceAccount and the ConfigMap with the cluster's CA, both a little later.
//!
//! kubernetes v1.36.4 `pkg/controller/serviceaccount/serviceaccounts_controller.go`,
//! `pkg/controller/certificates/rootcacertpublisher`.

use crate::delays::DELAYS;
use crate::rule::Found;
use plimsoll_model::Milestone::{Ready, Stored};
use plimsoll_model::{Delay, Object, ObjectId};

pub(super) fn live(object: &Object, found: &mut Found) {
    let stored = object.id.at(Stored);
    found.cause(object.id.at(Ready), vec![stored.clone().into()], Delay::NONE);
    for (kind, name) in [("ServiceAccount", "default"), ("ConfigMap", "kube-root-ca.crt")] {
        let brought = ObjectId::new("", kind, Some(object.id.name()), name);
        found.bring(&brought, &object.id, vec![stored.clone().into()], DELAYS.namespace_contents.delay());
    }
}
