//! PLM-R001: an object may be sent before its Namespace is stored.

use crate::read::answer;
use crate::rule::{Found, Rule};
use crate::view::View;
use plimsoll_model::Milestone::Stored;
use plimsoll_model::{Actor, Class, Code, Moment, ObjectId, Operation, StepIndex};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R001"),
    name: "object-before-namespace",
    class: Class::NamespaceMissing,
    page: include_str!("object_before_namespace.md"),
    find,
};

fn find(view: &View<'_>, found: &mut Found) {
    for delivered in view.deliveries() {
        let object = delivered.object;
        let Some(namespace) = object.id.namespace() else { continue };
        let needed = ObjectId::new("", "Namespace", None, namespace);
        let text = format!("namespaces \"{namespace}\" not found");
        RULE.requires(needed.at(Stored), Moment::request(delivered.step, &object.id, Stored))
            .at(object.place_of(&["metadata", "namespace"]))
            .says(format!("{} is sent to namespace {namespace}", object.id))
            .answered(
                Actor::ApiServer,
                format!("looks for namespace {namespace}"),
                if is_home(view, delivered.step, namespace) {
                    format!("Error: INSTALLATION FAILED: create: failed to create: {text}")
                } else {
                    answer::refused(view, *delivered, "NotFound", &text)
                },
            )
            .push(found);
    }
}

/// Whether Helm keeps the record of the release in the namespace: that is the first thing it writes, and to miss it.
fn is_home(view: &View<'_>, step: StepIndex, namespace: &str) -> bool {
    let home = view.delivery(step).and_then(|delivery| delivery.namespace.as_deref());
    home == Some(namespace) && view.scene.operation == Operation::Install
}
