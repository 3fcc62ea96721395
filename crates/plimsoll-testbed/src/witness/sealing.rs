//! A key for Sealed Secrets in place of the made-up one of the pages: the one that the controller beside the cluster has
//! made for itself.

use super::document::Document;
use super::failure::Failure;
use super::kubectl::Kubectl;
use serde_json::{Value, json};

/// The label by which the controller knows its keys.
const LABEL: &str = "sealedsecrets.bitnami.com/sealed-secrets-key";

/// The document with a real key, if it is to hold one.
pub(super) fn provide(kubectl: &Kubectl, mut document: Document) -> Result<Document, Failure> {
    if document.kind() != "Secret" || !document.text.contains(LABEL) {
        return Ok(document);
    }
    let selector = format!("--selector={LABEL}");
    kubectl.run(&[
        "wait",
        "--for=create",
        "secret",
        &selector,
        "--namespace=kube-system",
        "--timeout=30s",
    ])?;
    let said = kubectl.run(&["get", "secret", &selector, "--namespace=kube-system", "--output=json"])?;
    let keys: Value = serde_json::from_str(&said.stdout).unwrap_or_default();
    let data = keys.pointer("/items/0/data").cloned().unwrap_or_default();
    document.change(|value| {
        if let Some(secret) = value.as_object_mut() {
            secret.remove("stringData");
            secret.insert("data".to_owned(), json!(data));
        }
    });
    Ok(document)
}
