//! Secrets and ConfigMaps that a controller copies into other namespaces because an annotation asks for it.
//!
//! mittwald/kubernetes-replicator v2.12.4 `replicate/common/consts.go`; emberstack/kubernetes-reflector v10.0.63
//! `src/ES.Kubernetes.Reflector/Mirroring/Core/Annotations.cs`.

use crate::delays::DELAYS;
use crate::rule::Found;
use crate::view::View;
use plimsoll_model::Milestone::Stored;
use plimsoll_model::{Object, ObjectId};

/// Names the namespaces, in a list or by expressions.
const REPLICATED: &str = "replicator.v1.mittwald.de/replicate-to";
/// Lets the other annotation of this project count.
const REFLECTED: &str = "reflector.v1.k8s.emberstack.com/reflection-auto-enabled";
/// Names the namespaces; all, where it is missing or empty.
const REFLECTED_TO: &str = "reflector.v1.k8s.emberstack.com/reflection-auto-namespaces";

/// Brings the copies of an object.
pub(super) fn bring(view: &View<'_>, object: &Object, found: &mut Found) {
    let annotation = |name: &str| object.text_at(&["metadata", "annotations", name]);
    let reflected =
        (annotation(REFLECTED) == Some("true")).then(|| annotation(REFLECTED_TO).unwrap_or_default());
    for wanted in [annotation(REPLICATED), reflected].into_iter().flatten() {
        for namespace in view.namespaces().into_iter().filter(|namespace| takes(wanted, namespace)) {
            let copy = ObjectId::new("", object.id.kind(), Some(namespace), object.id.name());
            if copy != object.id {
                found.bring(&copy, &object.id, vec![object.id.at(Stored).into()], DELAYS.made.delay());
            }
        }
    }
}

/// Whether a list of namespaces may take one. What is not a plain name is an expression, and may take every one.
fn takes(wanted: &str, namespace: &str) -> bool {
    let is_plain = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let mut names = wanted.split(',').map(str::trim);
    wanted.trim().is_empty() || names.any(|name| name == namespace || !is_plain(name))
}

#[cfg(test)]
mod tests {
    use super::takes;

    #[test]
    fn a_list_takes_what_it_names_and_an_expression_takes_all() {
        assert!(takes("a, b", "b") && !takes("a,b", "c"));
        assert!(takes("", "a") && takes("team-.*", "a"));
    }
}
