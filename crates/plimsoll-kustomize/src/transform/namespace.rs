//! `namespace`: the namespace of objects, and the fields that hold it
//! (`filters/namespace/namespace.go`, `internal/builtins/NamespaceTransformer.go`).

use crate::accumulate::identity;
use crate::field_spec::{FieldSpec, Made};
use crate::identity::Gvk;
use crate::refusal::Refusal;
use crate::resource::{Maker, Resource};
use crate::schema;
use crate::tree::{Form, Node, Scalar, Tag};
use plimsoll_model::Place;
use rustc_hash::FxHashMap;

/// A namespace and where it goes.
pub(crate) struct Namespace<'n> {
    pub(crate) name: &'n str,
    pub(crate) place: Place,
    pub(crate) specs: Vec<FieldSpec>,
    /// Whether only what is empty is set.
    pub(crate) is_for_unset: bool,
    pub(crate) subjects: Subjects,
}

/// Which subjects of role bindings get the namespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subjects {
    /// Those called `default`.
    Default,
    /// All service accounts.
    ServiceAccounts,
    /// None.
    None,
}

impl<'n> Namespace<'n> {
    pub(crate) fn new(name: &'n str, place: Place, specs: Vec<FieldSpec>) -> Self {
        Self { name, place, specs, is_for_unset: false, subjects: Subjects::Default }
    }

    /// Puts all objects into the namespace. Two that are the same then are refused.
    pub(crate) fn set(&self, resources: &mut [Resource]) -> Result<(), Refusal> {
        let mut counts = FxHashMap::default();
        for resource in resources.iter() {
            *counts.entry(identity(&resource.id())).or_insert(0usize) += 1;
        }
        // Helm was told the namespace, and what it printed stays as it is.
        let is_meant = |resource: &&mut Resource| !resource.is_gone() && resource.maker != Maker::Chart;
        for resource in resources.iter_mut().filter(is_meant) {
            if let Some(count) = counts.get_mut(&identity(&resource.id())) {
                *count -= 1;
            }
            resource.remember();
            self.set_in(resource)?;
            resource.settle_twins();
            let id = resource.id();
            let count = counts.entry(identity(&id)).or_insert(0);
            *count += 1;
            if *count > 1 {
                let cause =
                    format!("kustomize refuses two objects that are one in this namespace: {}", id.words());
                return Err(Refusal::new(self.place, cause));
            }
        }
        Ok(())
    }

    fn set_in(&self, resource: &mut Resource) -> Result<(), Refusal> {
        let gvk = resource.gvk();
        if !schema::is_cluster_scoped(&gvk) {
            let own = FieldSpec { path: "metadata/namespace".into(), creates: true, ..FieldSpec::default() };
            self.apply(&own, &gvk, &mut resource.root)?;
        }
        let is_binding = |kind: &str| matches!(kind, "RoleBinding" | "ClusterRoleBinding");
        if is_binding(&gvk.kind) {
            self.set_subjects(&mut resource.root)?;
        }
        let is_core = gvk.group.is_empty() && &*gvk.version == "v1";
        for spec in &self.specs {
            let is_passed_over = match &*spec.path {
                "metadata/namespace" => true,
                // Other groups have a kind Namespace too.
                "metadata/name" => !is_core,
                "subjects/namespace" => is_binding(&gvk.kind) && is_binding(&spec.gvk.kind),
                _ => false,
            };
            if !is_passed_over {
                self.apply(spec, &gvk, &mut resource.root)?;
            }
        }
        Ok(())
    }

    fn apply(&self, spec: &FieldSpec, gvk: &Gvk, root: &mut Node) -> Result<(), Refusal> {
        let made = Made { form: Form::Scalar(Scalar::empty(Tag::Text)), place: self.place };
        spec.apply(root, gvk, Some(&made), &mut |node| self.change(node))
    }

    fn change(&self, node: &mut Node) -> Result<(), Refusal> {
        if self.is_for_unset && !node.said().is_empty() {
            return Ok(());
        }
        node.set_scalar(self.name, Tag::Text, self.place)
    }

    fn set_subjects(&self, root: &mut Node) -> Result<(), Refusal> {
        let Some(subjects) = root.get_mut("subjects").filter(|node| !node.is_null()) else { return Ok(()) };
        let place = subjects.place;
        let Form::List(items) = &mut subjects.form else {
            return Err(Refusal::new(place, "kustomize refuses subjects that are no list"));
        };
        for subject in items {
            let is_meant = match self.subjects {
                Subjects::None => false,
                Subjects::Default => subject.said_at("name") == "default",
                Subjects::ServiceAccounts => subject.said_at("kind") == "ServiceAccount",
            };
            if !is_meant {
                continue;
            }
            if subject.get("namespace").is_none() {
                subject.append("namespace", Node::scalar("", Tag::None, self.place));
            }
            if let Some(field) = subject.get_mut("namespace") {
                self.change(field)?;
            }
        }
        Ok(())
    }
}
