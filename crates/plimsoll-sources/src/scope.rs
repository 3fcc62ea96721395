//! Whether a kind lives in a namespace, and which namespace an object is in.

use crate::draft::Draft;
use plimsoll_model::{Action, Node, Object, ObjectId, Step};
use plimsoll_schema::Scope;
use std::collections::BTreeMap;

/// The scopes that the CRDs of the input declare, for kinds that are not known anyway.
#[derive(Debug, Default)]
pub(crate) struct Scopes {
    is_namespaced: BTreeMap<(Box<str>, Box<str>), bool>,
}

impl Scopes {
    /// Remembers the scopes that CRDs among the drafts declare, and objects of which operators make CRDs.
    pub(crate) fn learn(&mut self, drafts: &[Draft]) {
        for draft in drafts {
            let text = |path: &[&str]| draft.root.text_at(path);
            let group = text(&["spec", "group"]);
            let mut know = |group: Option<&str>, kind: &[&str], is_namespaced: bool| {
                if let (Some(group), Some(kind)) = (group, text(kind)) {
                    self.is_namespaced.insert((group.into(), kind.into()), is_namespaced);
                }
            };
            match (&*draft.group, &*draft.kind) {
                ("apiextensions.k8s.io", "CustomResourceDefinition") => {
                    if let Some(scope) = text(&["spec", "scope"]) {
                        know(group, &["spec", "names", "kind"], scope != "Cluster");
                    }
                }
                // What is meant without a word: crossplane v2.4 `apis/apiextensions/{v1,v2}/xrd_types.go`. Claims
                // live in namespaces.
                ("apiextensions.crossplane.io", "CompositeResourceDefinition") => {
                    let usual = if &*draft.version == "v1" { "LegacyCluster" } else { "Namespaced" };
                    let scope = text(&["spec", "scope"]).unwrap_or(usual);
                    know(group, &["spec", "names", "kind"], scope == "Namespaced");
                    know(group, &["spec", "claimNames", "kind"], true);
                }
                // frameworks/constraint `pkg/client/crds/crds.go`.
                ("templates.gatekeeper.sh", "ConstraintTemplate") => {
                    let kind = ["spec", "crd", "spec", "names", "kind"];
                    know(Some("constraints.gatekeeper.sh"), &kind, false);
                }
                _ => {}
            }
        }
    }

    /// The object of a draft; a namespaced one that names no namespace is in the given one.
    pub(crate) fn object(&self, draft: Draft, namespace: &str) -> Object {
        let Draft { group, version, kind, name, root } = draft;
        let namespace = self.namespace(&group, &kind, &root, namespace);
        let id = ObjectId::new(&group, &kind, namespace, &name);
        Object::new(id, &version, root)
    }

    /// Corrects objects that were read before the CRD of their kind.
    pub(crate) fn settle(&self, steps: &mut [Step], namespace: &str) {
        if self.is_namespaced.is_empty() {
            return;
        }
        for step in steps {
            let Action::Deliver(unit) = &mut step.action else {
                continue;
            };
            let otherwise = unit.otherwise.iter_mut().flat_map(|otherwise| &mut otherwise.objects);
            for object in unit.objects.iter_mut().chain(otherwise) {
                let id = &object.id;
                let fallback = id.namespace().unwrap_or(namespace);
                let settled = self.namespace(id.group(), id.kind(), &object.root, fallback);
                if settled != id.namespace() {
                    object.id = ObjectId::new(id.group(), id.kind(), settled, id.name());
                }
            }
        }
    }

    fn namespace<'a>(&self, group: &str, kind: &str, root: &'a Node, fallback: &'a str) -> Option<&'a str> {
        let written = root.text_at(&["metadata", "namespace"]).filter(|namespace| !namespace.is_empty());
        let known = plimsoll_schema::scope(group, kind)
            .map(|scope| scope == Scope::Namespaced)
            .or_else(|| self.is_namespaced.get(&(group.into(), kind.into())).copied());
        // Of a kind nobody declares, the namespace that was written and the name are the only signs.
        let is_namespaced = known.unwrap_or_else(|| written.is_some() || !kind.starts_with("Cluster"));
        is_namespaced.then(|| written.unwrap_or(fallback))
    }
}

#[cfg(test)]
mod tests {
    use crate::host::Memory;
    use crate::reading::Reading;
    use crate::search::{Habit, Search};

    fn check(text: &str, expect: &[&str]) {
        let host = Memory::default().with_input(text);
        let mut reading = Reading::new(&host);
        let search = Search {
            is_recursive: true,
            habit: Habit::Kubectl,
            exclude: Vec::new(),
            namespace: "home".to_owned(),
        };
        let objects = reading.objects_at(&["-".to_owned()], &search);
        let ids: Vec<String> = objects.iter().map(|object| object.id.to_string()).collect();
        assert_eq!(ids, expect);
    }

    #[test]
    fn built_in_kinds_have_their_scope() {
        check("{apiVersion: v1, kind: Namespace, metadata: {name: a, namespace: x}}", &["Namespace/a"]);
        check("{apiVersion: v1, kind: Service, metadata: {name: a}}", &["Service/home/a"]);
        check(
            "{apiVersion: apps/v1, kind: Deployment, metadata: {name: a, namespace: x}}",
            &["Deployment/x/a"],
        );
        check(
            "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: a}}",
            &["ClusterRole/a"],
        );
    }

    #[test]
    fn a_crd_decides_for_its_kind() {
        let crd = "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: ws.x.io}, \
                   spec: {group: x.io, scope: Cluster, names: {kind: W}}}\n---\n";
        let instance = "{apiVersion: x.io/v1, kind: W, metadata: {name: a, namespace: b}}";
        check(&format!("# yaml\n{crd}{instance}"), &["CustomResourceDefinition/ws.x.io", "W/a"]);
    }

    #[test]
    fn an_object_that_becomes_a_crd_decides_for_its_kind() {
        let template = "{apiVersion: templates.gatekeeper.sh/v1, kind: ConstraintTemplate, metadata: {name: a}, \
                        spec: {crd: {spec: {names: {kind: A}}}}}\n---\n";
        let constraint = "{apiVersion: constraints.gatekeeper.sh/v1beta1, kind: A, metadata: {name: a}}";
        check(&format!("# yaml\n{template}{constraint}"), &["ConstraintTemplate/a", "A/a"]);
    }

    #[test]
    fn of_an_unknown_kind_the_name_and_the_namespace_are_signs() {
        check("{apiVersion: x.io/v1, kind: ClusterThing, metadata: {name: a}}", &["ClusterThing/a"]);
        check(
            "{apiVersion: x.io/v1, kind: ClusterThing, metadata: {name: a, namespace: b}}",
            &["ClusterThing/b/a"],
        );
        check("{apiVersion: x.io/v1, kind: Thing, metadata: {name: a}}", &["Thing/home/a"]);
    }
}
