//! How sure a finding is: what a script waits for meanwhile, and what that is worth.
#![expect(clippy::expect_used, reason = "what the tests share may fail as loudly as a test")]

use std::process::Command;

/// A CRD with its operator.
const OPERATOR: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.acme.io}
spec:
  group: acme.io
  scope: Namespaced
  names: {kind: Gadget, plural: gadgets, singular: gadget}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: operator}
spec:
  selector: {matchLabels: {app: operator}}
  template:
    metadata: {labels: {app: operator}}
    spec: {containers: [{name: operator, image: acme.io/operator}]}
";
const GADGET: &str = "apiVersion: acme.io/v1\nkind: Gadget\nmetadata: {name: first}\n";

/// The confidence of the first finding where a script does this between a CRD and an instance.
fn confidence(between: &str) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let script = format!("set -e\nkubectl apply -f operator.yaml\n{between}\nkubectl apply -f gadget.yaml\n");
    for (name, text) in [("operator.yaml", OPERATOR), ("gadget.yaml", GADGET), ("deploy.sh", &script)] {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    let output = Command::new(env!("CARGO_BIN_EXE_plimsoll"))
        .args(["check", "-o", "json", "--pedantic", "--script", "deploy.sh"])
        .current_dir(folder.path())
        .output()
        .expect("the program runs");
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    answer.pointer("/findings/0/confidence").and_then(|word| word.as_str()).unwrap_or("nothing").to_owned()
}

#[test]
fn a_gap_that_a_wait_for_pods_outlasts_is_shown_only_to_those_who_ask() {
    assert_eq!(confidence("kubectl rollout status deploy/operator"), "heuristic");
    assert_eq!(confidence("kubectl rollout status deploy/other"), "proved", "nobody knows how long it takes");
    assert_eq!(confidence("kubectl rollout status deploy/operator || true"), "proved", "nothing stops");
    assert_eq!(confidence("sleep 30"), "proved", "a sleep proves nothing");
    assert_eq!(confidence("kubectl wait --for=condition=Established crd --all"), "nothing");
}
