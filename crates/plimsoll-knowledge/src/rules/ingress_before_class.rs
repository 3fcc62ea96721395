//! PLM-R023: an Ingress may be sent before its IngressClass, or before the class that is to be the default.
//!
//! `ingressClassName` is a row of the table. The default is filled in when the Ingress is created and never later:
//! kubernetes v1.36.4 `plugin/pkg/admission/network/defaultingressclass/admission.go`; seen on a real server.

use crate::rule::{Found, Rule};
use crate::view::View;
use plimsoll_model::Milestone::Stored;
use plimsoll_model::{Actor, Class, Clause, Code, Moment, Object, Reading};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R023"),
    name: "ingress-before-class",
    class: Class::ClassMissing,
    page: include_str!("ingress_before_class.md"),
    find,
};

fn find(view: &View<'_>, found: &mut Found) {
    let defaults: Vec<Moment> = view
        .of_kind("networking.k8s.io", "IngressClass")
        .into_iter()
        .filter(|class| annotation(class, "ingressclass.kubernetes.io/is-default-class") == Some("true"))
        .map(|class| class.id.at(Stored))
        .collect();
    if defaults.is_empty() {
        return;
    }
    let classless = |ingress: &&Object| {
        ingress.root.at(&["spec", "ingressClassName"]).is_none()
            && annotation(ingress, "kubernetes.io/ingress.class").is_none()
    };
    for ingress in view.of_kind("networking.k8s.io", "Ingress").into_iter().filter(classless) {
        for request in view.requests(&ingress.id, Stored) {
            RULE.requires(Clause(defaults.clone()), request)
                .read(Reading::OnceSilently)
                .at(ingress.place_of(&["kind"]))
                .says(format!("{} names no class and gets the default when it is created", ingress.id))
                .answered(Actor::ApiServer, "stores the Ingress without a class", "")
                .push(found);
        }
    }
}

fn annotation<'a>(object: &'a Object, key: &str) -> Option<&'a str> {
    object.text_at(&["metadata", "annotations", key])
}
