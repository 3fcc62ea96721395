//! PLM-R054: a store of external-secrets may be set up before the account, Secret or ConfigMap that it logs in with.
//!
//! The 109 Secrets, 14 accounts and 9 certificates that the providers of external-secrets v1.3.2 can name
//! (`config/crds/bases/external-secrets.io_clustersecretstores.yaml`) are told by their shape, whatever the provider.

use crate::clocks;
use crate::rule::{Found, Rule};
use crate::view::View;
use plimsoll_model::Milestone::{Ready, Stored};
use plimsoll_model::{Actor, Class, Code, Node, Object, ObjectId, Value};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R054"),
    name: "store-before-its-credentials",
    class: Class::StoreNotReady,
    page: include_str!("store_before_its_credentials.md"),
    find,
};

fn find(view: &View<'_>, found: &mut Found) {
    for kind in ["SecretStore", "ClusterSecretStore"] {
        for store in view.of_kind("external-secrets.io", kind) {
            if let Some(provider) = store.root.at(&["spec", "provider"]) {
                visit(store, "provider", provider, found);
            }
        }
    }
}

fn visit(store: &Object, field: &str, node: &Node, found: &mut Found) {
    if let Some(kind) = named_kind(field, node) {
        state(store, kind, node, found);
        return;
    }
    match &node.value {
        Value::List(items) => items.iter().for_each(|item| visit(store, field, item, found)),
        _ => node.entries().iter().for_each(|(key, value)| visit(store, &key.text, value, found)),
    }
}

/// What a part of a provider names: told by the name of its field, or by having a name, a key and nothing else.
fn named_kind<'a>(field: &str, node: &'a Node) -> Option<&'a str> {
    node.text_at(&["name"])?;
    let is_selector =
        node.entries().iter().all(|(key, _)| matches!(&*key.text, "name" | "key" | "namespace"));
    match field {
        "serviceAccountRef" | "serviceAccount" => Some("ServiceAccount"),
        "caProvider" => node.text_at(&["type"]).filter(|kind| matches!(*kind, "Secret" | "ConfigMap")),
        _ if is_selector && (node.get("key").is_some() || field.ends_with("SecretRef")) => Some("Secret"),
        _ => None,
    }
}

/// A ClusterSecretStore that names no namespace looks into that of each secret it is asked for.
fn state(store: &Object, kind: &str, node: &Node, found: &mut Found) {
    let (Some(name), Some(namespace)) =
        (node.text_at(&["name"]), store.id.namespace().or_else(|| node.text_at(&["namespace"])))
    else {
        return;
    };
    let needed = ObjectId::new("", kind, Some(namespace), name);
    let missing = match kind {
        "ServiceAccount" => format!("{{…}}ServiceAccount \"{name}\" not found"),
        _ => format!("{{…}}{}s \"{name}\" not found", kind.to_lowercase()),
    };
    RULE.requires(needed.at(Stored), store.id.at(Ready))
        .read(clocks::EXTERNAL_SECRETS)
        .at(node.get("name").unwrap_or(node).place)
        .says(format!("{} logs in with {needed}", store.id))
        .answered(Actor::Operator("external-secrets"), "sets up the store", missing)
        .push(found);
}
