//! Definitions of kinds that no API server takes: a `CustomResourceDefinition` with a wrong structure or schema.
//!
//! Read from `k8s.io/apiextensions-apiserver` v0.36.4 `pkg/apis/apiextensions/validation/validation.go`, and each rule
//! tried on a server of that version. Rules about default values, expressions and printer columns are not held here:
//! a definition without a fault may still be refused for one of those.

mod schema;

use crate::draft::Draft;
use plimsoll_model::{Node, Place, Problem, Value};
use std::collections::BTreeSet;

const DEFINITION: (&str, &str) = ("apiextensions.k8s.io", "CustomResourceDefinition");
const APPROVAL: &str = "api-approved.kubernetes.io";

/// What is wrong with a definition; nothing for any other object. It is read all the same.
pub(crate) fn problems(draft: &Draft) -> Vec<Problem> {
    if (&*draft.group, &*draft.kind) != DEFINITION || &*draft.version != "v1" {
        return Vec::new();
    }
    let mut faults = Faults::default();
    match draft.root.get("spec") {
        Some(spec) => {
            check_names(draft, spec, &mut faults);
            check_versions(spec, &mut faults);
        }
        None => faults.add(draft.root.place, "spec is missing"),
    }
    faults.0
}

/// Faults as they are found.
#[derive(Default)]
struct Faults(Vec<Problem>);

impl Faults {
    fn add(&mut self, place: Place, fault: impl std::fmt::Display) {
        let cause = format!("the API server refuses this CustomResourceDefinition: {fault}");
        self.0.push(Problem { place, cause, is_fatal: true });
    }
}

fn check_names(draft: &Draft, spec: &Node, faults: &mut Faults) {
    let group = spec.text_at(&["group"]).unwrap_or_default();
    let plural = spec.text_at(&["names", "plural"]).unwrap_or_default();
    let kind = spec.text_at(&["names", "kind"]).unwrap_or_default();
    for (value, path) in
        [(group, ["group"].as_slice()), (plural, &["names", "plural"]), (kind, &["names", "kind"])]
    {
        if value.is_empty() {
            faults.add(nearest(spec, path), format!("spec.{} is missing", path.join(".")));
        }
    }
    if !group.is_empty() && !group.contains('.') {
        faults.add(nearest(spec, &["group"]), "spec.group must be a domain with a dot, such as example.com");
    }
    let expected = format!("{plural}.{group}");
    if !group.is_empty() && !plural.is_empty() && *draft.name != *expected {
        let place = nearest(&draft.root, &["metadata", "name"]);
        faults.add(place, format!("metadata.name must be spec.names.plural and spec.group: {expected}"));
    }
    if !matches!(spec.text_at(&["scope"]), Some("Namespaced" | "Cluster")) {
        faults.add(nearest(spec, &["scope"]), "spec.scope must be Namespaced or Cluster");
    }
    if spec.bool_at(&["preserveUnknownFields"]) == Some(true) {
        let place = nearest(spec, &["preserveUnknownFields"]);
        let instead = "set x-kubernetes-preserve-unknown-fields in the schema instead";
        faults.add(place, format!("spec.preserveUnknownFields cannot be true; {instead}"));
    }
    if is_protected(group) && draft.root.at(&["metadata", "annotations", APPROVAL]).is_none() {
        let place = nearest(&draft.root, &["metadata", "annotations"]);
        faults.add(place, format!("a kind of group {group} needs the annotation {APPROVAL}"));
    }
}

/// Groups that belong to Kubernetes itself (`pkg/apihelpers/helpers.go`, `IsProtectedCommunityGroup`).
fn is_protected(group: &str) -> bool {
    ["k8s.io", "kubernetes.io"]
        .iter()
        .any(|domain| group.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.')))
}

fn check_versions(spec: &Node, faults: &mut Faults) {
    let place = nearest(spec, &["versions"]);
    let Some(Value::List(versions)) = spec.get("versions").map(|versions| &versions.value) else {
        return faults.add(place, "spec.versions must be a list with at least one version");
    };
    let stored = versions.iter().filter(|version| version.bool_at(&["storage"]) == Some(true)).count();
    if stored != 1 {
        faults.add(
            place,
            format!("exactly one of spec.versions must have `storage: true`, and {stored} of them have it"),
        );
    }
    let mut seen = BTreeSet::new();
    for version in versions {
        match version.text_at(&["name"]) {
            Some(name) if !is_label(name) => {
                let place = nearest(version, &["name"]);
                faults.add(place, format!("`{name}` is no name of a version; write it such as v1beta1"));
            }
            Some(name) if !seen.insert(name) => {
                faults.add(nearest(version, &["name"]), format!("version {name} is there twice"));
            }
            Some(_) => {}
            None => faults.add(version.place, "this version has no name"),
        }
        match version.at(&["schema", "openAPIV3Schema"]) {
            Some(root) => schema::check(root, faults),
            None => faults.add(version.place, "this version has no schema.openAPIV3Schema"),
        }
    }
}

/// Lower case letters, digits and dashes, beginning with a letter (`IsDNS1035Label`).
fn is_label(text: &str) -> bool {
    let is_inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    text.len() <= 63
        && text.starts_with(|letter: char| letter.is_ascii_lowercase())
        && !text.ends_with('-')
        && text.bytes().all(is_inner)
}

/// The place of what stands at a path, or of the nearest thing above it that is there.
fn nearest(node: &Node, path: &[&str]) -> Place {
    let mut found = node;
    for key in path {
        match found.get(key) {
            Some(inner) => found = inner,
            None => break,
        }
    }
    found.place
}

#[cfg(test)]
mod tests;
