//! Custom resource definitions of the input.

use plimsoll_model::Object;

/// Whether a CRD serves a version.
pub(crate) fn serves(crd: &Object, version: &str) -> bool {
    crd.root
        .list_at(&["spec", "versions"])
        .iter()
        .any(|one| one.text_at(&["name"]) == Some(version) && one.bool_at(&["served"]) == Some(true))
}

/// The versions a CRD serves.
pub(crate) fn served(crd: &Object) -> Vec<&str> {
    let versions = crd.root.list_at(&["spec", "versions"]).iter();
    versions
        .filter(|one| one.bool_at(&["served"]) == Some(true))
        .filter_map(|one| one.text_at(&["name"]))
        .collect()
}
