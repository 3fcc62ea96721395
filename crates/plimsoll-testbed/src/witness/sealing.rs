//! What Sealed Secrets need and pages only make up: keys, and what is sealed with them. The key is the one that the
//! controller beside the cluster has made for itself, and the real kubeseal seals.

use super::document::Document;
use super::failure::Failure;
use super::kubectl::{Kubectl, Said};
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
            let certificate = certificate(&key(kubectl)?)
                .ok_or_else(|| no_key(kubectl, "the key has no certificate in tls.crt"))?;
            let mut sealed = Ok(());
            document.change(|value| sealed = seal(value, here, &certificate));
            sealed?;
        }
        _ => {}
    }
    Ok(document)
}

/// The data of the key.
fn key(kubectl: &Kubectl) -> Result<Value, Failure> {
    let selector = format!("--selector={LABEL}");
    let waited = kubectl.run(&[
        "wait",
        "--for=create",
        "secret",
        &selector,
        "--namespace=kube-system",
        "--timeout=30s",
    ])?;
    let said = kubectl.run(&["get", "secret", &selector, "--namespace=kube-system", "--output=json"])?;
    first_data(&said.stdout).ok_or_else(|| no_key(kubectl, &format!("{}{}", waited.stderr, said.stderr)))
}

/// The data of the first object of a list.
fn first_data(list: &str) -> Option<Value> {
    serde_json::from_str::<Value>(list).ok()?.pointer("/items/0/data").cloned()
}

fn certificate(data: &Value) -> Option<Vec<u8>> {
    base64::engine::general_purpose::STANDARD.decode(data.get("tls.crt")?.as_str()?).ok()
}

fn no_key(kubectl: &Kubectl, cause: &str) -> Failure {
    let cause = format!("there is no key of Sealed Secrets in kube-system: {}", cause.trim());
    Failure::Cluster { kubeconfig: kubectl.kubeconfig.display().to_string(), cause }
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
        *value = json!(printed(&Said::from(output))?);
    }
    Ok(())
}

/// What kubeseal has printed.
fn printed(said: &Said) -> Result<&str, Failure> {
    if said.is_success {
        Ok(said.stdout.trim())
    } else {
        Err(Failure::Failed { program: "kubeseal".to_owned(), said: said.stderr.trim().to_owned() })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_sealed_by_a_program_that_fails() {
        let said = |is_success, stdout: &str, stderr: &str| Said {
            is_success,
            stdout: stdout.to_owned(),
            stderr: stderr.to_owned(),
        };
        assert_eq!(printed(&said(true, "AgB\n", "")).unwrap(), "AgB");
        let failure = printed(&said(false, "", "error: no certificate\n")).unwrap_err();
        assert_eq!(failure.to_string(), "kubeseal failed: error: no certificate");
    }

    #[test]
    fn a_key_is_one_that_was_found() {
        let data = first_data(r#"{"items": [{"data": {"tls.crt": "YWJj"}}]}"#).unwrap();
        assert_eq!(certificate(&data).unwrap(), b"abc");
        for missing in ["", "{}", r#"{"items": []}"#] {
            assert_eq!(first_data(missing), None, "{missing}");
        }
        for broken in [json!({}), json!({"tls.crt": "?"})] {
            assert_eq!(certificate(&broken), None, "{broken}");
        }
    }
}
