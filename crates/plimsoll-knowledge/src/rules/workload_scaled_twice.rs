//! PLM-R058: two autoscalers are in charge of one workload, and neither scales it.
//!
//! kubernetes v1.36.4 `pkg/controller/podautoscaler/horizontal.go` (`AmbiguousSelector`), seen on a real cluster; KEDA makes
//! a HorizontalPodAutoscaler of each ScaledObject, and its webhook refuses the later of the two: keda v2.21.0
//! `apis/keda/v1alpha1/scaledobject_webhook.go` (`verifyHpas`, `verifyScaledObjects`).

use crate::rule::{Found, Rule};
use crate::view::View;
use plimsoll_model::Milestone::Observed;
use plimsoll_model::{Actor, Class, Clause, Code, Confidence, Object, ObjectId, Reading};
use rustc_hash::FxHashMap;

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R058"),
    name: "workload-scaled-twice",
    class: Class::MixedOwnership,
    page: include_str!("workload_scaled_twice.md"),
    find,
};

fn find(view: &View<'_>, found: &mut Found) {
    let mut in_charge: FxHashMap<ObjectId, Vec<&Object>> = FxHashMap::default();
    for scaler in scalers(view) {
        let Some(target) = target(scaler) else { continue };
        let others = in_charge.entry(target.clone()).or_default();
        if let Some(other) =
            others.iter().find(|other| !takes_over(scaler, other) && !takes_over(other, scaler))
        {
            state(view, [other, scaler], &target, found);
        }
        others.push(scaler);
    }
}

/// Everything that makes or is a HorizontalPodAutoscaler.
pub(super) fn scalers<'a>(view: &View<'a>) -> Vec<&'a Object> {
    let mut scalers = view.of_kind("autoscaling", "HorizontalPodAutoscaler");
    scalers.extend(view.of_kind("keda.sh", "ScaledObject"));
    scalers
}

/// What an autoscaler scales, if it is in the same namespace, as it must be.
pub(super) fn target(scaler: &Object) -> Option<ObjectId> {
    let reference = scaler.root.at(&["spec", "scaleTargetRef"])?;
    let version = reference.text_at(&["apiVersion"]).unwrap_or("apps/v1");
    let group = version.split_once('/').map_or("", |(group, _)| group);
    let kind = reference.text_at(&["kind"]).unwrap_or("Deployment");
    Some(ObjectId::new(group, kind, scaler.id.namespace(), reference.text_at(&["name"])?))
}

/// Whether a ScaledObject is told to go on with the other's HorizontalPodAutoscaler.
fn takes_over(scaled: &Object, other: &Object) -> bool {
    let advanced = ["spec", "advanced", "horizontalPodAutoscalerConfig", "name"];
    scaled.id.is("keda.sh", "ScaledObject") && scaled.text_at(&advanced) == Some(other.id.name())
}

fn state(view: &View<'_>, [other, scaler]: [&Object; 2], target: &ObjectId, found: &mut Found) {
    let is_plain = [scaler, other].iter().all(|one| one.id.group() == "autoscaling");
    let text = if is_plain { "pods by selector {…} are controlled by multiple HPAs: {…}" } else { "" };
    // Nobody said that files of one folder are sent together; they may be alternatives.
    let is_said = view.step_of(&scaler.id).and_then(|step| view.bundle.step(step)?.place).is_some()
        || scaler.place().file == other.place().file;
    RULE.requires(Clause(Vec::new()), scaler.id.at(Observed))
        .read(Reading::OnceForGood)
        .sure(if is_said { Confidence::Proved } else { Confidence::Assumed })
        .at(scaler.place_of(&["spec", "scaleTargetRef"]))
        .says(format!("{} and {} both scale {target}", other.id, scaler.id))
        .mended("keep one of the two, with the metrics of both: the largest number of replicas wins")
        .answered(Actor::Controller, format!("finds that another is in charge of {target}, too"), text)
        .push(found);
}
