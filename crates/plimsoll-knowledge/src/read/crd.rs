//! Custom resource definitions of the input.

use plimsoll_model::{Node, Object};

/// Whether a CRD serves a version.
pub(crate) fn serves(crd: &Object, version: &str) -> bool {
    served(crd).contains(&version)
}

/// The versions a CRD serves. In v1beta1 a single one could stand in `spec.version`.
pub(crate) fn served(crd: &Object) -> Vec<&str> {
    let versions = crd.root.list_at(&["spec", "versions"]);
    if versions.is_empty() {
        return crd.text_at(&["spec", "version"]).into_iter().collect();
    }
    versions
        .iter()
        .filter(|one| one.bool_at(&["served"]) == Some(true))
        .filter_map(|one| one.text_at(&["name"]))
        .collect()
}

/// The version in which a CRD's instances are stored.
pub(crate) fn storage(crd: &Object) -> Option<&str> {
    let mut versions = crd.root.list_at(&["spec", "versions"]).iter();
    versions.find(|one| one.bool_at(&["storage"]) == Some(true))?.text_at(&["name"])
}

/// The `clientConfig` of a CRD's conversion webhook.
pub(crate) fn converter(crd: &Object) -> Option<&Node> {
    let conversion = crd.root.at(&["spec", "conversion"])?;
    let is_webhook = conversion.text_at(&["strategy"]) == Some("Webhook");
    is_webhook.then(|| conversion.at(&["webhook", "clientConfig"]))?
}

/// Whether the converter's CA is a placeholder: base64 text that is no PEM block. Such a CRD is not established.
/// apiextensions-apiserver v0.36.4 `pkg/controller/establish/establishing_controller.go`; seen with `Cg==`.
pub(crate) fn has_placeholder_ca(crd: &Object) -> bool {
    let bundle = converter(crd).and_then(|client| client.text_at(&["caBundle"]));
    bundle.is_some_and(|bundle| !bundle.is_empty() && !bundle.trim_start().starts_with("LS0t"))
}
