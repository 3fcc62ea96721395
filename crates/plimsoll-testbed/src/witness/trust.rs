//! One certificate authority for everything that serves on a page. Pages leave it out to stay short; a play writes it
//! into the configurations that name none.

use super::document::Document;
use super::failure::Failure;
use base64::Engine as _;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, KeyUsagePurpose};
use serde_json::{Value, json};
use std::path::Path;

/// Where the backend of a page serves.
const NAMES: [&str; 4] =
    ["guard.default.svc", "guard.vault.svc", "inventory.default.svc", "metrics-server.kube-system.svc"];

/// The authority, and the one server that it has signed; all of it PEM.
#[derive(Debug, Clone)]
pub struct Trust {
    pub(super) certificate: String,
    pub(super) key: String,
    /// The certificate of the backend.
    pub backend_certificate: String,
    /// The key of the backend.
    pub backend_key: String,
}

impl Trust {
    /// A new authority.
    pub fn new() -> Result<Self, rcgen::Error> {
        let mut parameters = CertificateParams::default();
        parameters.distinguished_name = rcgen::DistinguishedName::new();
        parameters.distinguished_name.push(DnType::CommonName, "witness");
        parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        parameters.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::DigitalSignature];
        let issuer = CertifiedIssuer::self_signed(parameters, KeyPair::generate()?)?;
        let mut parameters = CertificateParams::new(NAMES.map(str::to_owned).to_vec())?;
        parameters.use_authority_key_identifier_extension = true;
        let key = KeyPair::generate()?;
        let certificate = parameters.signed_by(&key, &issuer)?;
        Ok(Self {
            certificate: issuer.pem(),
            key: issuer.key().serialize_pem(),
            backend_certificate: certificate.pem(),
            backend_key: key.serialize_pem(),
        })
    }

    /// Writes the backend's certificate into a folder, under the names by which programs look for theirs.
    pub(super) fn write_certificates(&self, folder: &Path) -> Result<(), Failure> {
        std::fs::create_dir_all(folder).map_err(Failure::file(folder))?;
        let (certificate, key) = (&self.backend_certificate, &self.backend_key);
        let files = [("apiserver.crt", certificate), ("apiserver.key", key), ("ca.crt", &self.certificate)];
        for (name, text) in files.into_iter().chain([("tls.crt", certificate), ("tls.key", key)]) {
            let path = folder.join(name);
            std::fs::write(&path, text).map_err(Failure::file(&path))?;
        }
        Ok(())
    }

    /// A document in which webhooks and conversions name this authority, unless somebody injects one, and in which a
    /// certificate to serve with is one.
    pub(super) fn fill(&self, document: &Document) -> Document {
        let mut document = document.clone();
        let is_injected = document.text.contains("cert-manager.io/inject-ca-from");
        let has_calls = ["WebhookConfiguration", "CustomResourceDefinition"];
        if !is_injected
            && has_calls.iter().any(|kind| document.kind().ends_with(kind))
            && document.text.contains("clientConfig")
        {
            let bundle = base64(self.certificate.as_bytes());
            document.change(|value| fill(value, &bundle));
        }
        if document.kind() == "Secret" && document.text.contains("\ntype: kubernetes.io/tls\n") {
            let pair = json!({"tls.crt": self.backend_certificate, "tls.key": self.backend_key});
            document.change(|value| {
                if let Some(held) = value.get_mut("stringData") {
                    *held = pair;
                }
            });
        }
        document
    }
}

fn fill(value: &mut Value, bundle: &str) {
    match value {
        Value::Object(map) => {
            if let Some(config) = map.get_mut("clientConfig").and_then(Value::as_object_mut) {
                config.insert("caBundle".to_owned(), json!(bundle));
            }
            map.values_mut().for_each(|value| fill(value, bundle));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| fill(item, bundle)),
        _ => {}
    }
}

/// Bytes as Kubernetes writes them in JSON.
pub(super) fn base64(bytes: &[u8]) -> String {
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use plimsoll_knowledge::page::Example;

    #[test]
    fn a_certificate_to_serve_with_is_one() {
        let trust = Trust::new().unwrap();
        let filled = |kind: &str| {
            let text = format!(
                "apiVersion: v1\nkind: Secret\nmetadata: {{name: a}}\ntype: {kind}\nstringData:\n  tls.crt: example\n"
            );
            let document = Document::all(&Example::of_file("one", &text)).remove(0);
            trust.fill(&document).text.contains("BEGIN CERTIFICATE")
        };
        assert!(filled("kubernetes.io/tls"));
        assert!(!filled("Opaque"));
    }
}
