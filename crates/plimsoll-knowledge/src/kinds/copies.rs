//! Secrets and ConfigMaps that a controller copies into other namespaces because annotations ask for it.
//!
//! mittwald/kubernetes-replicator v2.12.4 `replicate/common/consts.go`, `generic-replicator.go`; emberstack/kubernetes-reflector
//! v10.0.63 `src/ES.Kubernetes.Reflector/Mirroring/Core/Annotations.cs`, `MirroringPropertiesExtensions.cs`
//! `CanBeAutoReflectedToNamespace`.

use crate::delays::DELAYS;
use crate::read::admission::NAME_LABEL;
use crate::rule::Found;
use crate::view::View;
use plimsoll_model::Milestone::Stored;
use plimsoll_model::{Node, Object, ObjectId, Selector};

/// How the annotations of the replicator begin: `-to` names the namespaces, `-to-matching` selects them by their labels.
const REPLICATED: &str = "replicator.v1.mittwald.de/replicate";
/// How the annotations of the reflector begin: some allow copies, others ask for them.
const REFLECTED: &str = "reflector.v1.k8s.emberstack.com/reflection";

/// Brings the copies of an object.
pub(super) fn bring(view: &View<'_>, object: &Object, found: &mut Found) {
    for namespace in namespaces(view, object) {
        let copy = ObjectId::new("", object.id.kind(), Some(namespace), object.id.name());
        if copy != object.id {
            found.bring(&copy, &object.id, vec![object.id.at(Stored).into()], DELAYS.made.delay());
        }
    }
}

/// The namespaces that may take a copy.
fn namespaces<'v>(view: &View<'v>, object: &Object) -> Vec<&'v str> {
    let annotations = object.root.at(&["metadata", "annotations"]).map_or(&[][..], Node::entries);
    let is_about_copies = |key: &str| key.starts_with(REPLICATED) || key.starts_with(REFLECTED);
    if !annotations.iter().any(|(key, _)| is_about_copies(&key.text)) {
        return Vec::new();
    }
    let said = |name: String| object.text_at(&["metadata", "annotations", &name]);
    let takes = |namespace: &str, names: Option<&str>, selector: Option<&str>| {
        names.is_some_and(|names| lists(names, namespace))
            || selector.is_some_and(|selector| selects(view, selector, namespace))
    };
    let [names, selector] = ["to", "to-matching"].map(|word| said(format!("{REPLICATED}-{word}")));
    let is_replicated = |namespace: &str| takes(namespace, names, selector);
    let is_reflecting = ["allowed", "auto-enabled"].map(|word| said(format!("{REFLECTED}-{word}")));
    let reflected = ["allowed", "auto"].map(|word| {
        let list = |which: &str| said(format!("{REFLECTED}-{word}-{which}")).filter(|text| !text.is_empty());
        [list("namespaces"), list("namespaces-selector")]
    });
    let is_reflected = |namespace: &str| {
        let is_open =
            |[names, selector]: [_; 2]| [names, selector] == [None; 2] || takes(namespace, names, selector);
        is_reflecting == [Some("true"); 2] && reflected.into_iter().all(is_open)
    };
    let all = view.namespaces().into_iter();
    all.filter(|namespace| is_replicated(namespace) || is_reflected(namespace)).collect()
}

/// Whether a list of names may take a namespace. What is not a plain name is an expression, and may take every one.
fn lists(names: &str, namespace: &str) -> bool {
    let is_plain = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    names.split(',').map(str::trim).any(|name| name == namespace || !is_plain(name))
}

/// Whether a selector may take a namespace: the labels of one that is not delivered are not known.
fn selects(view: &View<'_>, selector: &str, namespace: &str) -> bool {
    let Some(selector) = Selector::parse(selector) else { return false };
    let declared = view.object(&ObjectId::new("", "Namespace", None, namespace));
    declared.is_none_or(|declared| {
        selector.selects(|key| match key {
            NAME_LABEL => Some(namespace),
            _ => declared.text_at(&["metadata", "labels", key]),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;
    use crate::view::Scene;
    use plimsoll_model::Operation;
    use serde_json::json;

    /// The namespaces that take a Secret of `shop` with annotations.
    fn taken(annotations: &[(&str, &str)]) -> Vec<String> {
        let annotations: serde_json::Map<_, _> =
            annotations.iter().map(|(key, value)| ((*key).to_owned(), json!(value))).collect();
        let secret = json!({"apiVersion": "v1", "kind": "Secret",
            "metadata": {"name": "s", "namespace": "shop", "annotations": annotations}});
        let namespace = |name: &str, team: &str| {
            let labels = json!({"team": team});
            json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": labels}})
        };
        let pod =
            json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "namespace": "unknown"}});
        let bundle = sample::bundle(&[secret.clone(), namespace("one", "a"), namespace("two", "b"), pod]);
        let scene = Scene { kube_version: plimsoll_schema::newest(), operation: Operation::Install };
        let view = View::new(&bundle, scene);
        let taken = namespaces(&view, &sample::object(&secret)).into_iter().filter(|name| *name != "shop");
        taken.map(str::to_owned).collect()
    }

    #[test]
    fn the_replicator_copies_where_it_is_told_to() {
        let named = |text| taken(&[("replicator.v1.mittwald.de/replicate-to", text)]);
        assert_eq!(named("one, three"), ["one"]);
        assert_eq!(named("o.*"), ["one", "two", "unknown"], "an expression may take all");
        assert!(named("").is_empty());
        let matching = |text| taken(&[("replicator.v1.mittwald.de/replicate-to-matching", text)]);
        assert_eq!(matching("team=a"), ["one", "unknown"]);
        assert_eq!(matching("kubernetes.io/metadata.name in (two)"), ["two", "unknown"]);
    }

    #[test]
    fn the_reflector_copies_what_it_may_where_it_is_told_to() {
        let allowed = ("reflector.v1.k8s.emberstack.com/reflection-allowed", "true");
        let asked = ("reflector.v1.k8s.emberstack.com/reflection-auto-enabled", "true");
        assert!(taken(&[allowed]).is_empty());
        assert!(taken(&[asked]).is_empty());
        assert_eq!(taken(&[allowed, asked]), ["one", "two", "unknown"]);
        let allowed_to = ("reflector.v1.k8s.emberstack.com/reflection-allowed-namespaces", "one,unknown");
        assert_eq!(taken(&[allowed, asked, allowed_to]), ["one", "unknown"]);
        let asked_to = ("reflector.v1.k8s.emberstack.com/reflection-auto-namespaces", "one,two");
        assert_eq!(taken(&[allowed, asked, asked_to]), ["one", "two"]);
        assert_eq!(taken(&[allowed, asked, asked_to, allowed_to]), ["one"]);
        let selected = ("reflector.v1.k8s.emberstack.com/reflection-auto-namespaces-selector", "team=b");
        assert_eq!(taken(&[allowed, asked, selected]), ["two", "unknown"]);
        assert_eq!(taken(&[allowed, asked, selected, allowed_to]), ["unknown"]);
    }
}
