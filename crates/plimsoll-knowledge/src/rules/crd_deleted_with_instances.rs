//! PLM-R042: a CRD is deleted while instances of it exist, and they go with it.
//!
//! apiextensions-apiserver v0.36.4 `pkg/controller/finalizer/crd_finalizer.go`; seen on a real server: exit code 0,
//! and after the CRD is created again there is no instance left.

use crate::rule::{Found, Rule};
use crate::view::{Delivered, View};
use plimsoll_model::Milestone::{Gone, Stored};
use plimsoll_model::{Action, Actor, Class, Clause, Code, Delivery, Moment, Object, Reading, StepIndex};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R042"),
    name: "crd-deleted-with-instances",
    class: Class::CrBeforeCrd,
    page: include_str!("crd_deleted_with_instances.md"),
    find,
};

fn find(view: &View<'_>, found: &mut Found) {
    for (index, step) in view.bundle.numbered_steps() {
        let removed: Vec<(&Object, Moment)> = match &step.action {
            Action::Remove(removal) => {
                let removed = removal.objects.iter().filter_map(|id| view.object(id));
                removed.map(|object| (object, object.id.at(Gone))).collect()
            }
            Action::Deliver(unit) if is_forced(&unit.delivery) => {
                let replaced = unit.objects.iter();
                replaced.map(|object| (object, Moment::request(index, &object.id, Stored))).collect()
            }
            _ => continue,
        };
        let is_crd = |object: &Object| object.id.is("apiextensions.k8s.io", "CustomResourceDefinition");
        for (crd, then) in removed.into_iter().filter(|(object, _)| is_crd(object)) {
            for instance in instances(view, crd).into_iter().filter(|one| exists(view, *one, index)) {
                lose(crd, &then, instance.object, found);
            }
        }
    }
}

/// `kubectl replace --force` deletes the object and creates it again.
fn is_forced(delivery: &Delivery) -> bool {
    delivery.verb == "replace"
        && delivery.flags.iter().any(|flag| flag == "--force" || flag == "--force=true")
}

fn lose(crd: &Object, then: &Moment, instance: &Object, found: &mut Found) {
    RULE.requires(Clause(Vec::new()), then.clone())
        .read(Reading::OnceSilently)
        .at(instance.place_of(&["kind"]))
        .says(format!("{} is deleted with {}", instance.id, crd.id))
        .answered(Actor::ApiServer, format!("deletes every {}", instance.id.kind()), "")
        .mended(format!("change {} with `kubectl apply` instead of deleting it", crd.id))
        .push(found);
}

fn instances<'a>(view: &View<'a>, crd: &Object) -> Vec<Delivered<'a>> {
    let group = crd.text_at(&["spec", "group"]).unwrap_or_default();
    let kind = crd.text_at(&["spec", "names", "kind"]).unwrap_or_default();
    let deliveries = view.deliveries().iter().filter(|delivered| delivered.object.id.is(group, kind));
    deliveries.copied().collect()
}

/// Whether an instance is there when the step begins, delivered by an earlier one or by the release before, and
/// is not itself to be deleted.
fn exists(view: &View<'_>, instance: Delivered<'_>, removing: StepIndex) -> bool {
    let id = &instance.object.id;
    let is_meant = view.bundle.numbered_steps().any(|(index, step)| match &step.action {
        Action::Remove(removal) if index <= removing => removal.objects.iter().any(|removed| {
            removed == id || (removed.is("", "Namespace") && Some(removed.name()) == id.namespace())
        }),
        _ => false,
    });
    !is_meant && (instance.step < removing || view.scene.operation.is_change())
}
