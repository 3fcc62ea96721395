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
        let namespaces = removal.objects.iter().filter(|id| id.is("", "Namespace"));
        for namespace in namespaces.filter(|id| exists(view, id, removing)) {
            reuse(view, (removing, &step.says), namespace, found);
        }
    }
}

/// Whether a namespace is there when the step begins: an earlier one delivers it, or the run before has.
fn exists(view: &View<'_>, namespace: &ObjectId, removing: StepIndex) -> bool {
    let mut deliveries = view.deliveries().iter().filter(|delivered| delivered.step < removing);
    view.scene.operation.is_change() || deliveries.any(|delivered| delivered.object.id == *namespace)
}

fn reuse(view: &View<'_>, (removing, says): (StepIndex, &str), namespace: &ObjectId, found: &mut Found) {
    let reused = view.deliveries().iter().filter(|delivered| delivered.step > removing);
    for delivered in reused {
        let object = delivered.object;
        let is_itself = object.id == *namespace;
        if !is_itself && object.id.namespace() != Some(namespace.name()) {
            continue;
        }
        let (field, what) = if is_itself {
            ("name", format!("{namespace}, which `{says}` deletes, is sent again"))
        } else {
            ("namespace", format!("{} is sent to the namespace that `{says}` deletes", object.id))
        };
        let name = namespace.name();
        // Of what is in the namespace and unchanged, nothing is said at all.
        let (actor, does, text) = if is_itself {
            let warning =
                format!("Warning: Detected changes to resource {name} which is currently being deleted.");
            (Actor::Tool, format!("finds namespace {name} in place and goes on"), warning)
        } else {
            (Actor::Controller, format!("deletes everything in namespace {name}"), String::new())
        };
        RULE.requires(namespace.at(Gone), Moment::request(delivered.step, &object.id, Stored))
            .read(Reading::OnceSilently)
            .at(object.place_of(&["metadata", field]))
            .says(what)
            .answered(actor, does, text)
            .push_window(vec![Moment::step(removing, Started).into()], found);
    }
}
