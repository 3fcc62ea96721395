//! The keys of a Secret or ConfigMap, as declared or as its maker writes them.

use crate::producers;
use crate::products;
use crate::rule::Found;
use crate::view::View;
use plimsoll_model::{Node, Object, ObjectId};

/// Whether the input declares a Secret or ConfigMap, or what makes it, and the key is not in it.
pub(crate) fn lack(view: &View<'_>, found: &Found, target: &ObjectId, key: &str) -> bool {
    let mut declared = view.declarations(target).peekable();
    if declared.peek().is_some() {
        let is_whole = |object| is_whole(view, object) && !found.is_brought(target);
        return declared.all(|object| !of(object).contains(&key) && is_whole(object));
    }
    let mut makers = found.carriers(target).iter().filter_map(|maker| view.object(maker)).peekable();
    makers.peek().is_some() && makers.all(|maker| !may_write(view, maker, target, key))
}

/// Whether what makes a Secret may put a key into it.
fn may_write(view: &View<'_>, maker: &Object, target: &ObjectId, key: &str) -> bool {
    if maker.id.is("cert-manager.io", "Certificate") {
        return issued(maker).contains(&key);
    }
    if let Some(product) = products::products(view, maker).into_iter().find(|product| product.id == *target) {
        return product.may_have(key);
    }
    let products = view.pods_of(&maker.id).map(producers::products).unwrap_or_default();
    let mut made = products.iter().filter(|product| product.id == *target).peekable();
    made.peek().is_none() || made.any(|product| product.may_have(key))
}

/// The keys that a declaration holds.
fn of(object: &Object) -> Vec<&str> {
    let fields = ["data", "stringData", "binaryData"].iter().filter_map(|field| object.root.get(field));
    fields.flat_map(Node::entries).map(|(key, _)| &*key.text).collect()
}

/// Whether nobody else is known to add keys: an empty declaration waits for a program to fill it, a token Secret
/// and one with a replicator's annotation are filled by controllers, others by the operator that names them.
fn is_whole(view: &View<'_>, object: &Object) -> bool {
    let annotations = object.root.at(&["metadata", "annotations"]).map_or(&[][..], Node::entries);
    let is_filled =
        |key: &str| ["replicat", "reflect", "inject", "sync"].iter().any(|sign| key.contains(sign));
    !of(object).is_empty()
        && object.text_at(&["type"]) != Some("kubernetes.io/service-account-token")
        && !annotations.iter().any(|(key, _)| is_filled(&key.text))
        && !is_synchronised(view, &object.id)
}

/// Whether an ExternalSecret of the input writes the Secret, whatever its policy.
fn is_synchronised(view: &View<'_>, secret: &ObjectId) -> bool {
    let here = view.in_namespace(secret.namespace().unwrap_or_default());
    let mut makers = here.into_iter().filter(|object| object.id.is("external-secrets.io", "ExternalSecret"));
    makers.any(|maker| maker.text_at(&["spec", "target", "name"]).unwrap_or(maker.id.name()) == secret.name())
}

/// The keys that cert-manager writes. `ca.crt` depends on the issuer, so it counts as written.
/// cert-manager v1.21.2 `pkg/controller/certificates/issuing/internal/secret.go`.
fn issued(certificate: &Object) -> Vec<&'static str> {
    let mut keys = vec!["tls.crt", "tls.key", "ca.crt"];
    let spec = certificate.root.get("spec");
    for (store, names) in
        [("jks", ["keystore.jks", "truststore.jks"]), ("pkcs12", ["keystore.p12", "truststore.p12"])]
    {
        let is_made = spec.and_then(|spec| spec.bool_at(&["keystores", store, "create"])) == Some(true);
        keys.extend(names.iter().filter(|_| is_made));
    }
    for format in spec.map_or(&[][..], |spec| spec.list_at(&["additionalOutputFormats"])) {
        keys.extend(match format.text_at(&["type"]) {
            Some("CombinedPEM") => Some("tls-combined.pem"),
            Some("DER") => Some("key.der"),
            _ => None,
        });
    }
    keys
}
