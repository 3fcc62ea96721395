//! Every fix says whether it was analysed again, and if not, why.
#![expect(clippy::expect_used, reason = "what the tests share may fail as loudly as a test")]

use serde_json::Value;
use std::process::Command;

const WEBHOOK: &str = "\
apiVersion: apps/v1
kind: Deployment
metadata: {name: guard, namespace: default}
spec:
  selector: {matchLabels: {app: guard}}
  template:
    metadata: {labels: {app: guard}}
    spec: {containers: [{name: guard, image: guard}]}
---
apiVersion: v1
kind: Service
metadata: {name: guard, namespace: default}
spec: {selector: {app: guard}, ports: [{port: 443}]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: guard}
webhooks:
- name: guard.acme.io
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {service: {name: guard, namespace: default}}
  rules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [secrets]}]
";
const SECRET: &str = "{apiVersion: v1, kind: Secret, metadata: {name: first, namespace: default}}\n";
const NAMESPACE: &str = "{apiVersion: v1, kind: Namespace, metadata: {name: shop}}\n";
const SETTINGS: &str = "{apiVersion: v1, kind: ConfigMap, metadata: {name: settings, namespace: shop}}\n";
const OLD: &str =
    "{apiVersion: policy/v1beta1, kind: PodDisruptionBudget, metadata: {name: old}, spec: {}}\n";

/// For each fix: its trust, whether it was checked, and why not.
fn fixes(script: &str) -> Vec<(String, bool, Option<String>)> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let files = [
        ("webhook.yaml", WEBHOOK),
        ("secret.yaml", SECRET),
        ("namespace.yaml", NAMESPACE),
        ("settings.yaml", SETTINGS),
        ("old.yaml", OLD),
        ("deploy.sh", script),
    ];
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_plimsoll"));
    command.current_dir(folder.path()).args(["check", "--script", "deploy.sh", "-o", "json"]);
    let output = command.output().expect("the program runs");
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let findings = report.pointer("/findings").and_then(Value::as_array).expect("findings");
    let proposed = findings.iter().filter_map(|finding| finding.pointer("/fixes")?.as_array()).flatten();
    let text = |fix: &Value, field: &str| fix.get(field)?.as_str().map(str::to_owned);
    let told = |fix: &Value| {
        let is_checked = fix.get("checked").and_then(Value::as_bool).expect("said of every fix");
        (text(fix, "safety").expect("a word"), is_checked, text(fix, "why_unchecked"))
    };
    proposed.map(told).collect()
}

fn check(script: &str, safety: &str, why_unchecked: Option<&str>) {
    let expected = (safety.to_owned(), why_unchecked.is_none(), why_unchecked.map(str::to_owned));
    assert_eq!(fixes(script), [expected], "{script}");
}

#[test]
fn an_order_of_files_and_of_commands_is_made_and_analysed_again() {
    check("kubectl apply -f settings.yaml -f namespace.yaml\n", "safe", None);
    check(
        "set -e\nkubectl apply -f settings.yaml || true\nkubectl apply -f namespace.yaml\n",
        "review",
        None,
    );
}

#[test]
fn a_wait_is_put_in_and_analysed_again() {
    check("set -e\nkubectl apply -f webhook.yaml\nkubectl apply -f secret.yaml\n", "review", None);
}

#[test]
fn one_command_is_taken_apart_around_a_wait() {
    check(
        "set -e\nkubectl apply -f webhook.yaml -f secret.yaml\nkubectl apply -f namespace.yaml\n",
        "manual",
        None,
    );
}

#[test]
fn a_wait_helps_only_where_its_failure_stops_the_script() {
    let why = "it helps only where a wait that fails stops the script, as under `set -e`";
    check("kubectl apply -f webhook.yaml\nkubectl apply -f secret.yaml\n", "review", Some(why));
}

#[test]
fn what_changes_more_than_an_order_says_so() {
    let why = "it changes more than an order; what that does is not analysed";
    check("kubectl apply -f old.yaml\n", "manual", Some(why));
}
