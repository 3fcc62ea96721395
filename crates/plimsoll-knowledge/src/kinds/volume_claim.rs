//! A claim is bound when a volume is provisioned; with `WaitForFirstConsumer` not before a pod that uses it exists.
//!
//! kubernetes v1.36.4 `pkg/controller/volume/persistentvolume/pv_controller.go`.

use super::stored;
use crate::delays::DELAYS;
use crate::rule::Found;
use crate::view::View;
use plimsoll_model::Milestone::{Bound, Observed, Ready};
use plimsoll_model::{Clause, Delay, Moment, Object, ObjectId};

pub(super) fn live(view: &View<'_>, object: &Object, found: &mut Found) {
    let mut after = stored(object);
    let consumers = consumers(view, &object.id);
    // Pods that use the claim may also be outside the input; then nothing is known of when they come.
    if waits_for_consumer(view, object) && !consumers.is_empty() {
        after.push(Clause(consumers));
    }
    found.cause(object.id.at(Bound), after, DELAYS.volume_bound.delay());
    found.cause(object.id.at(Ready), vec![object.id.at(Bound).into()], Delay::NONE);
}

/// Whether the claim's StorageClass is in the input and binds only when a pod needs it.
fn waits_for_consumer(view: &View<'_>, claim: &Object) -> bool {
    let Some(name) = claim.text_at(&["spec", "storageClassName"]) else { return false };
    let class = ObjectId::new("storage.k8s.io", "StorageClass", None, name);
    let mode = view.object(&class).and_then(|class| class.text_at(&["volumeBindingMode"]));
    mode == Some("WaitForFirstConsumer")
}

fn consumers(view: &View<'_>, claim: &ObjectId) -> Vec<Moment> {
    let pods = view.pods_claiming(claim.namespace().unwrap_or_default(), claim.name());
    pods.iter().map(|pods| pods.owner.id.at(Observed)).collect()
}
