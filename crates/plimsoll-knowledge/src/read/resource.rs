//! The resource name of a kind, and the name of the CRD that would define it.

use crate::view::View;
use plimsoll_model::ObjectId;

/// The lower-case plural of a kind: by the input's own CRD, by what is known, or as code generators make it.
pub(crate) fn of(view: &View<'_>, group: &str, kind: &str) -> String {
    let own = view.crd(group, kind).and_then(|crd| crd.text_at(&["spec", "names", "plural"]));
    match own.or_else(|| plimsoll_schema::resource(group, kind)) {
        Some(known) => known.to_owned(),
        None => plural(kind),
    }
}

/// The CRD of a kind, in the input or not.
pub(crate) fn crd(view: &View<'_>, group: &str, kind: &str) -> ObjectId {
    if let Some(crd) = view.crd(group, kind) {
        return crd.id.clone();
    }
    if let Some(made) = view.made_crd(group, kind) {
        return made;
    }
    let name = format!("{}.{group}", of(view, group, kind));
    ObjectId::new("apiextensions.k8s.io", "CustomResourceDefinition", None, &name)
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
