//! PLM-R002: an instance may be mapped before its CRD is established and discoverable.

use crate::rule::{Found, Rule};
use crate::view::View;
use plimsoll_model::Milestone::{Checked, Discoverable};
use plimsoll_model::{Actor, Class, Code, Moment, ObjectId};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R002"),
    name: "instance-before-crd",
    class: Class::CrBeforeCrd,
    page: include_str!("instance_before_crd.md"),
    find,
};

fn find(view: &View<'_>, found: &mut Found) {
    for delivered in view.deliveries() {
        let object = delivered.object;
        let (group, kind) = (object.id.group(), object.id.kind());
        let crd = match view.crd(group, kind) {
            Some(crd) => crd.id.clone(),
            None if plimsoll_schema::is_builtin_group(group) => continue,
            None => ObjectId::new("apiextensions.k8s.io", "CustomResourceDefinition", None, &crd_name(group, kind)),
        };
        RULE.requires(crd.at(Discoverable), Moment::request(delivered.step, &object.id, Checked))
            .at(object.place_of(&["kind"]))
            .says(format!("{} is mapped to the API of {}", object.id, crd.name()))
            .answered(Actor::Tool, format!("looks up kind {kind}"), answer(object))
            .push(found);
    }
}

/// The name a CRD has: plural and group.
fn crd_name(group: &str, kind: &str) -> String {
    let plural = plimsoll_schema::resource(group, kind).map_or_else(|| plural(kind), str::to_owned);
    format!("{plural}.{group}")
}

/// The plural that code generators make of a kind. apimachinery v0.36.4 `pkg/api/meta/restmapper.go`.
fn plural(kind: &str) -> String {
    let singular = kind.to_ascii_lowercase();
    if singular.ends_with('s') {
        format!("{singular}es")
    } else if let Some(stem) = singular.strip_suffix('y') {
        format!("{stem}ies")
    } else {
        format!("{singular}s")
    }
}

/// What kubectl prints; kubernetes v1.36.4 `cli-runtime/pkg/resource/mapper.go`, seen on a real server.
fn answer(object: &plimsoll_model::Object) -> String {
    format!(
        "resource mapping not found for name: \"{}\" namespace: \"{}\" from \"…\": no matches for kind \"{}\" in \
         version \"{}\"\nensure CRDs are installed first",
        object.id.name(),
        object.text_at(&["metadata", "namespace"]).unwrap_or_default(),
        object.id.kind(),
        object.api_version()
    )
}
