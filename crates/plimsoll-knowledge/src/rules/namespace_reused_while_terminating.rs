//! PLM-R041: objects may be sent to a namespace whose deletion has begun and is not over; they vanish with it.
//!
//! Seen on a real server v1.36.4: exit code 0, `unchanged`, and seconds later namespace and objects are gone.

use crate::rule::{Found, Rule};
use crate::view::View;
use plimsoll_model::Milestone::{Gone, Started, Stored};
use plimsoll_model::{Action, Actor, Class, Code, Moment, ObjectId, Reading, StepIndex};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R041"),
    name: "namespace-reused-while-terminating",
    class: Class::NamespaceMissing,
    page: include_str!("namespace_reused_while_terminating.md"),
    find,
};

fn find(view: &View<'_>, found: &mut Found) {
    for (removing, step) in view.bundle.numbered_steps() {
        let Action::Remove(removal) = &step.action else { continue };
        for namespace in removal.objects.iter().filter(|id| id.is("", "Namespace")) {
            reuse(view, removing, namespace, found);
        }
    }
}

fn reuse(view: &View<'_>, removing: StepIndex, namespace: &ObjectId, found: &mut Found) {
    let reused = view.deliveries().iter().filter(|delivered| delivered.step > removing);
    for delivered in reused {
        let object = delivered.object;
        let is_itself = object.id == *namespace;
        if !is_itself && object.id.namespace() != Some(namespace.name()) {
            continue;
        }
        let field = if is_itself { "name" } else { "namespace" };
        RULE.requires(namespace.at(Gone), Moment::request(delivered.step, &object.id, Stored))
            .read(Reading::OnceSilently)
            .at(object.place_of(&["metadata", field]))
            .says(format!("{} is sent while {namespace} is being deleted, and goes with it", object.id))
            .answered(
                Actor::Controller,
                format!("deletes everything in namespace {}", namespace.name()),
                format!(
                    "Warning: Detected changes to resource {} which is currently being deleted.",
                    object.id.name()
                ),
            )
            .push_window(vec![Moment::step(removing, Started).into()], found);
    }
}
