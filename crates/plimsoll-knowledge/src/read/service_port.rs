//! The ports of a Service.

use plimsoll_model::Object;

/// Whether a Service has a port, as far as it is read; one of type `ExternalName` is called at any.
pub(crate) fn has(service: &Object, port: i64) -> bool {
    let ports = service.root.list_at(&["spec", "ports"]);
    !service.is_whole()
        || service.text_at(&["spec", "type"]) == Some("ExternalName")
        || ports.iter().any(|one| one.int_at(&["port"]) == Some(port))
}
