//! PLM-R021: pods may be created before their PriorityClass is stored, or before the class that is to be the default.
//!
//! `priorityClassName` is a row of the table. The default is filled in when a pod is created and never later:
//! kubernetes v1.36.4 `plugin/pkg/admission/priority/admission.go`; seen on a real server.

use crate::rule::{Found, Rule};
use crate::view::View;
use plimsoll_model::Milestone::Stored;
use plimsoll_model::{Actor, Class, Clause, Code, Moment, Object, Reading};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R021"),
    name: "pod-before-priority-class",
    class: Class::ClassMissing,
    page: include_str!("pod_before_priority_class.md"),
    find,
};

fn find(view: &View<'_>, found: &mut Found) {
    let is_default = |class: &&Object| class.root.bool_at(&["globalDefault"]) == Some(true);
    let classes = view.of_kind("scheduling.k8s.io", "PriorityClass");
    let defaults: Vec<Moment> =
        classes.into_iter().filter(is_default).map(|class| class.id.at(Stored)).collect();
    if defaults.is_empty() {
        return;
    }
    let is_classless = |name: Option<&str>| name.is_none_or(str::is_empty);
    let classless = view.pods().iter().filter(|pods| is_classless(pods.spec.text_at(&["priorityClassName"])));
    for pods in classless.filter(|pods| pods.ever_run()) {
        for (creation, _) in pods.creations(view) {
            RULE.requires(Clause(defaults.clone()), creation)
                .read(Reading::OnceSilently)
                .at(pods.owner.place_of(&["kind"]))
                .says(format!("{} names no priority class and gets the default with each pod", pods.owner.id))
                .answered(Actor::ApiServer, "stores a pod of priority 0", "")
                .push(found);
        }
    }
}
