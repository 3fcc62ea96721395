//! PLM-R075: a workload says how many replicas it has, an autoscaler has said otherwise, and server-side apply refuses.
//!
//! Each text seen with Helm v4.3.1 and kubectl v1.36.4 on a real server v1.36.4. Helm v3.22.0 and client-side apply put the
//! declared number back without a word, and the autoscaler corrects it at its next look.

use super::workload_scaled_twice::{scalers, target};
use crate::rule::{Found, Rule};
use crate::tools::helm;
use crate::view::{Delivered, View};
use plimsoll_model::Milestone::Stored;
use plimsoll_model::{
    Actor, Class, Clause, Code, Delivery, Moment, Object, ObjectId, Place, Reading, Tool, Unit,
};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R075"),
    name: "replicas-beside-autoscaler",
    class: Class::MixedOwnership,
    page: include_str!("replicas_beside_autoscaler.md"),
    find,
};

fn find(view: &View<'_>, found: &mut Found) {
    if !view.scene.operation.is_change() {
        return;
    }
    for scaler in scalers(view).into_iter().filter(|scaler| was_there(view, &scaler.id)) {
        let Some(target) = target(scaler) else { continue };
        let sent = view.deliveries().iter().filter(|delivered| delivered.object.id == target);
        for delivered in sent.filter(|delivered| was_there(view, &delivered.object.id)) {
            let is_refused = view.delivery(delivered.step).is_some_and(is_server_side);
            if let Some(place) = contested(scaler, delivered.object).filter(|_| is_refused) {
                state(view, *delivered, scaler, place, found);
            }
        }
    }
}

/// Whether a second run may be refused where the first is not.
pub(crate) fn is_possible(unit: &Unit) -> bool {
    is_server_side(&unit.delivery)
        && unit
            .objects
            .iter()
            .any(|object| matches!(object.id.kind(), "HorizontalPodAutoscaler" | "ScaledObject"))
}

fn was_there(view: &View<'_>, id: &ObjectId) -> bool {
    view.bundle.before.as_deref().is_none_or(|before| before.deliveries().any(|(_, object)| object.id == *id))
}

/// Where the number is written, if the autoscaler may choose another. A workload with none is left alone by it.
fn contested(scaler: &Object, workload: &Object) -> Option<Place> {
    let replicas = workload.root.int_at(&["spec", "replicas"]).filter(|replicas| *replicas != 0)?;
    let bound = |field: &str| scaler.root.int_at(&["spec", field]);
    let is_fixed = bound("maxReplicas") == Some(replicas) && bound("minReplicas").unwrap_or(1) == replicas;
    (!is_fixed).then(|| workload.place_of(&["spec", "replicas"]))
}

/// Whether a field that others have changed is refused, and not taken over.
fn is_server_side(delivery: &Delivery) -> bool {
    let flag = |name: &str| delivery.flags.iter().find_map(|flag| flag.strip_prefix(name));
    let is_on = |name: &str| flag(name).is_some_and(|value| value != "=false");
    let is_asked = match delivery.tool {
        Tool::Helm => {
            helm::version(delivery) == helm::Version::Four && flag("--server-side") != Some("=false")
        }
        Tool::Kubectl => delivery.verb == "apply" && is_on("--server-side"),
    };
    is_asked && !is_on("--force-conflicts")
}

fn state(view: &View<'_>, delivered: Delivered<'_>, scaler: &Object, place: Place, found: &mut Found) {
    let id = &delivered.object.id;
    RULE.requires(Clause(Vec::new()), Moment::request(delivered.step, id, Stored))
        .read(Reading::OnceForGood)
        .at(place)
        .says(format!("{id} says how many replicas it has, and so does {}", scaler.id))
        .answered(Actor::ApiServer, "finds that the autoscaler has set the replicas", answer(view, delivered))
        .mended("leave out `spec.replicas`: then the autoscaler alone has it")
        .push(found);
}

fn answer(view: &View<'_>, delivered: Delivered<'_>) -> String {
    let object = delivered.object;
    let words = format!(
        "Apply failed with 1 conflict: conflict with \"kube-controller-manager\" with subresource \"scale\" using {}: \
         .spec.replicas",
        object.api_version()
    );
    let is_helm = view.delivery(delivered.step).is_some_and(|delivery| delivery.tool == Tool::Helm);
    if !is_helm {
        return format!("error: {words}");
    }
    format!(
        "Error: UPGRADE FAILED: conflict occurred while applying object {}/{} {}, Kind={}: {words}",
        object.id.namespace().unwrap_or_default(),
        object.id.name(),
        object.api_version(),
        object.id.kind()
    )
}
