//! Admission policies of the input that take parameters.

use super::admission::Criteria;
use super::{scope, selector};
use crate::view::View;
use plimsoll_model::Milestone::Stored;
use plimsoll_model::{Clause, Node, Object, ObjectId};

/// A policy that refuses what it cannot evaluate, and the kind of its parameters.
#[derive(Debug)]
pub(crate) struct Policy<'a> {
    pub(crate) object: &'a Object,
    pub(crate) api_version: &'a str,
    pub(crate) group: &'a str,
    pub(crate) kind: &'a str,
}

/// Every policy with a `paramKind` that is not ignored when it fails.
pub(crate) fn with_parameters<'a>(view: &View<'a>) -> Vec<Policy<'a>> {
    let kinds = ["ValidatingAdmissionPolicy", "MutatingAdmissionPolicy"];
    let all = kinds.into_iter().flat_map(|kind| view.of_kind("admissionregistration.k8s.io", kind));
    all.filter(|policy| policy.text_at(&["spec", "failurePolicy"]) != Some("Ignore"))
        .filter_map(|object| {
            let api_version = object.root.text_at(&["spec", "paramKind", "apiVersion"])?;
            let group = api_version.split_once('/').map_or("", |(group, _)| group);
            Some(Policy {
                object,
                api_version,
                group,
                kind: object.root.text_at(&["spec", "paramKind", "kind"])?,
            })
        })
        .collect()
}

/// What a binding narrows its policy to.
pub(crate) fn bound(binding: &Object) -> Criteria<'_> {
    Criteria { node: binding.root.at(&["spec", "matchResources"]), rules: "resourceRules", conditions: &[] }
}

impl<'a> Policy<'a> {
    /// The bindings of the input that put the policy to work.
    pub(crate) fn bindings(&self, view: &View<'a>) -> Vec<&'a Object> {
        let kind = format!("{}Binding", self.object.id.kind());
        let mut bindings = view.of_kind("admissionregistration.k8s.io", &kind);
        bindings.retain(|binding| binding.text_at(&["spec", "policyName"]) == Some(self.object.id.name()));
        bindings
    }

    /// What the policy is asked about.
    pub(crate) fn criteria(&self) -> Criteria<'a> {
        Criteria {
            node: self.object.root.at(&["spec", "matchConstraints"]),
            rules: "resourceRules",
            conditions: self.object.root.list_at(&["spec", "matchConditions"]),
        }
    }

    /// The objects any one of which a binding takes as parameters; `None` if it does without, or if they differ by
    /// the namespace of the request.
    pub(crate) fn parameters(&self, view: &View<'_>, binding: &Object) -> Option<Clause> {
        let reference = binding.root.at(&["spec", "paramRef"])?;
        if reference.text_at(&["parameterNotFoundAction"]) != Some("Deny") {
            return None;
        }
        let namespace = reference.text_at(&["namespace"]);
        if namespace.is_none() && !scope::is_cluster_scoped(view, self.group, self.kind) {
            return None;
        }
        if let Some(name) = reference.text_at(&["name"]) {
            return Some(ObjectId::new(self.group, self.kind, namespace, name).at(Stored).into());
        }
        let wanted = reference.get("selector")?;
        let candidates = view.of_kind(self.group, self.kind).into_iter();
        let chosen = candidates.filter(|object| namespace.is_none() || object.id.namespace() == namespace);
        let moments: Vec<_> =
            chosen.filter(|object| is_selected(wanted, object)).map(|object| object.id.at(Stored)).collect();
        (!moments.is_empty()).then_some(Clause(moments))
    }

    /// The words around a refusal.
    pub(crate) fn denied(&self, binding: Option<&Object>, text: &str) -> String {
        let binding =
            binding.map_or_else(String::new, |binding| format!(" with binding '{}'", binding.id.name()));
        format!("{} '{}'{binding} denied request: {text}", self.object.id.kind(), self.object.id.name())
    }
}

fn is_selected(wanted: &Node, object: &Object) -> bool {
    let labels = object.root.at(&["metadata", "labels"]);
    selector::selects(Some(wanted), |key| labels?.text_at(&[key]).map(str::to_owned))
}
