//! How sure a finding is where a part of the input could not be read, or was meant so.
#![expect(clippy::expect_used, reason = "what the tests share may fail as loudly as a test")]

use std::process::Command;

const ISSUER: &str = "\
apiVersion: cert-manager.io/v1
kind: ClusterIssuer
metadata: {name: internal}
spec: {selfSigned: {}}
";

/// The confidence of the first finding in a folder with these files.
fn confidence(files: &[(&str, &str)], arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    let output = Command::new(env!("CARGO_BIN_EXE_plimsoll"))
        .args(["check", "-o", "json"])
        .args(arguments)
        .current_dir(folder.path())
        .output()
        .expect("the program runs");
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    answer.pointer("/findings/0/confidence").and_then(|word| word.as_str()).unwrap_or("nothing").to_owned()
}

#[test]
fn what_was_not_read_may_bring_what_is_missing() {
    let script = |script| {
        confidence(&[("issuer.yaml", ISSUER), ("deploy.sh", script)], &["--closed", "--script", "deploy.sh"])
    };
    assert_eq!(script("kubectl apply -f issuer.yaml\n"), "proved");
    let remote = "kubectl apply -f https://example.org/cert-manager.yaml\nkubectl apply -f issuer.yaml\n";
    assert_eq!(script(remote), "assumed");
}

/// A webhook that lets writes pass while it does not answer, and an object that it should change.
const TOLERANT: &str = "\
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, labels: {defaults: wanted}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: guard}
webhooks:
  - name: guard.acme.io
    clientConfig: {service: {name: guard, namespace: default}}
    rules: [{apiGroups: [\"\"], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
    failurePolicy: Ignore
    objectSelector: {matchLabels: {defaults: wanted}}
";

#[test]
fn who_writes_a_chart_knows_what_its_own_webhook_lets_pass() {
    assert_eq!(confidence(&[("all.yaml", TOLERANT)], &["all.yaml"]), "proved");
    let chart = [
        ("shop/Chart.yaml", "apiVersion: v2\nname: shop\nversion: 1.0.0\n"),
        ("shop/templates/all.yaml", TOLERANT),
    ];
    assert_eq!(confidence(&chart, &["shop"]), "nothing");
    assert_eq!(confidence(&chart, &["shop", "--pedantic"]), "heuristic");
}
