//! The keys of a Secret or ConfigMap as declared.

use plimsoll_model::{Node, Object};

/// The keys an object holds; `None` for anything but a Secret or ConfigMap.
pub(crate) fn of(object: &Object) -> Option<Vec<&str>> {
    let fields: &[&str] = match (object.id.group(), object.id.kind()) {
        ("", "Secret") => &["data", "stringData"],
        ("", "ConfigMap") => &["data", "binaryData"],
        _ => return None,
    };
    let entries = fields.iter().filter_map(|field| object.root.get(field)).flat_map(Node::entries);
    Some(entries.map(|(key, _)| &*key.text).collect())
}
