//! Containers that only behave, called by the API server: as webhooks and as an aggregated API.

use crate::playground::Playground;
use serde_json::json;

#[test]
fn a_webhook_that_admits_is_trusted_and_one_that_listens_is_not() {
    let Some(playground) = Playground::shared() else { return };
    playground.apply(include_str!("pods/hooks.yaml"));
    playground.wait("pod/admitting", "condition=Ready");
    playground.wait("pod/untrusted", "condition=Ready");
    for name in ["admitting", "untrusted"] {
        playground.apply(&configuration(name).to_string());
    }
    let create = ["create", "configmap", "asked", "--dry-run=server"];
    let expected = "failed calling webhook \"untrusted.acme.io\": failed to call webhook: Post \
                    \"https://untrusted.default.svc:443/?timeout=10s\": tls: failed to verify certificate: \
                    x509: certificate signed by unknown authority";
    playground.until_refused(&create, |said| said.contains(expected));
    playground.must(&["delete", "validatingwebhookconfiguration", "untrusted"]);
    playground.until(&create, |said| said.contains("configmap/asked created"));
    playground.must(&["delete", "validatingwebhookconfiguration", "admitting"]);
}

#[test]
fn an_aggregated_api_that_only_behaves_keeps_no_namespace_from_going() {
    let Some(playground) = Playground::shared() else { return };
    playground.apply(include_str!("pods/hooks.yaml"));
    playground.wait("apiservice/v1.acme.io", "condition=Available");
    playground.must(&["create", "namespace", "short-lived"]);
    playground.must(&["delete", "namespace", "short-lived", "--timeout=60s"]);
}

/// A webhook of this Service for ConfigMaps that are asked for, and without a word about whom to trust.
fn configuration(name: &str) -> serde_json::Value {
    json!({
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingWebhookConfiguration",
        "metadata": {"name": name},
        "webhooks": [{
            "name": format!("{name}.acme.io"),
            "admissionReviewVersions": ["v1"],
            "sideEffects": "None",
            "matchConditions": [{"name": "asked", "expression": "request.name == 'asked'"}],
            "rules": [{"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["configmaps"]}],
            "clientConfig": {"service": {"name": name, "namespace": "default"}},
        }],
    })
}
