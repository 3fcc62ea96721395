//! What Sealed Secrets need and pages only make up: keys, and what is sealed with them. The key is the one that the
//! controller beside the cluster has made for itself, and the real kubeseal seals.

use super::document::Document;
use super::failure::Failure;
use super::kubectl::Kubectl;
use crate::programs::Program;
use base64::Engine as _;
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

/// The label by which the controller knows its keys.
const LABEL: &str = "sealedsecrets.bitnami.com/sealed-secrets-key";

/// The scopes of what is sealed that an annotation names.
const SCOPES: [&str; 2] = ["cluster-wide", "namespace-wide"];

/// The document with a real key or with values that are really sealed, if it is to hold such; `here` is the namespace that
/// pages call `default`.
pub(super) fn provide(kubectl: &Kubectl, here: &str, mut document: Document) -> Result<Document, Failure> {
    match document.kind() {
        "Secret" if document.text.contains(LABEL) => {
            let data = key(kubectl)?;
            document.change(|value| {
                if let Some(secret) = value.as_object_mut() {
                    secret.remove("stringData");
                    secret.insert("data".to_owned(), data);
                }
            });
        }
        "SealedSecret" => {
            let certificate = key(kubectl)?;
            let certificate = certificate.get("tls.crt").and_then(Value::as_str).unwrap_or_default();
            let certificate = base64::engine::general_purpose::STANDARD.decode(certificate);
            let mut sealed = Ok(());
            document.change(|value| {
                sealed = seal(value, here, &certificate.unwrap_or_default());
            });
            sealed?;
        }
        _ => {}
    }
    Ok(document)
}

/// The data of the key.
fn key(kubectl: &Kubectl) -> Result<Value, Failure> {
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
    Ok(keys.pointer("/items/0/data").cloned().unwrap_or_default())
}

/// Seals every value for the Secret that the template names, which is the object's own name where it names none.
fn seal(object: &mut Value, here: &str, certificate: &[u8]) -> Result<(), Failure> {
    let field = |name: &str| {
        let places = ["/spec/template/metadata", "/metadata"];
        places.iter().find_map(|place| object.pointer(place)?.get(name)).cloned().unwrap_or_default()
    };
    let (name, namespace, annotations) = (field("name"), field("namespace"), field("annotations"));
    let is_of = |scope: &&&str| annotations.get(format!("sealedsecrets.bitnami.com/{scope}")).is_some();
    let scope = SCOPES.iter().find(is_of).unwrap_or(&"strict");
    let namespace = namespace.as_str().filter(|namespace| *namespace != "default").unwrap_or(here);
    let folder = tempfile::tempdir().map_err(Failure::file(Path::new("a temporary folder")))?;
    let [certificate_file, value_file] = ["tls.crt", "value"].map(|name| folder.path().join(name));
    std::fs::write(&certificate_file, certificate).map_err(Failure::file(&certificate_file))?;
    std::fs::write(&value_file, "example").map_err(Failure::file(&value_file))?;
    let program = Program::named("kubeseal")?.obtain(&mut |_| {})?;
    let values = object.pointer_mut("/spec/encryptedData").and_then(Value::as_object_mut);
    for value in values.into_iter().flat_map(serde_json::Map::values_mut) {
        let output = Command::new(&program)
            .arg("--raw")
            .args(["--name", name.as_str().unwrap_or_default(), "--namespace", namespace, "--scope", scope])
            .arg("--cert")
            .arg(&certificate_file)
            .arg("--from-file")
            .arg(&value_file)
            .output()
            .map_err(Failure::program("kubeseal"))?;
        *value = json!(String::from_utf8_lossy(&output.stdout).trim());
    }
    Ok(())
}
