//! A refused request loses what it would have brought, and nothing that came in another way.
#![expect(clippy::expect_used, reason = "what the tests share may fail as loudly as a test")]

use std::process::Command;

const WEB: &str = "\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: nginx}]}
";
/// Sent before its Namespace.
const LATE: &str = "\
{apiVersion: v1, kind: ConfigMap, metadata: {name: late, namespace: shop}}
---
{apiVersion: v1, kind: Namespace, metadata: {name: shop}}
";

/// The rules that speak of a script that delivers a Deployment twice, waits for it, and then makes a mistake.
fn rules(second: &str, commands: &str) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let script = format!(
        "set -e\n{commands}kubectl rollout status deploy/web --timeout=5m\nkubectl apply -f late.yaml\n"
    );
    for (name, text) in
        [("web.yaml", WEB), ("again.yaml", second), ("late.yaml", LATE), ("deploy.sh", &script)]
    {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_plimsoll"));
    command.current_dir(folder.path()).args(["check", "--script", "deploy.sh", "-o", "json"]);
    let output = command.output().expect("the program runs");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let findings = report.get("findings").and_then(|findings| findings.as_array()).expect("findings");
    let rule = |finding: &serde_json::Value| finding.get("rule")?.as_str().map(str::to_owned);
    findings.iter().filter_map(rule).collect()
}

#[test]
fn what_one_command_creates_twice_is_there_and_the_rest_is_judged() {
    let other = WEB.replace("name: web}\nspec:\n  selector", "name: web, labels: {a: b}}\nspec:\n  selector");
    let found = rules(&other, "kubectl create -f web.yaml -f again.yaml || true\n");
    assert_eq!(found, ["PLM-R043", "PLM-R001"]);
}

#[test]
fn what_one_command_delivers_is_not_lost_by_the_refusal_of_another() {
    let old = WEB.replace("apps/v1", "apps/v1beta1");
    let found = rules(&old, "kubectl apply -f web.yaml\nkubectl apply -f again.yaml || true\n");
    assert_eq!(found, ["PLM-R003", "PLM-R001"]);
}

#[test]
fn what_one_command_delivers_in_a_served_version_too_is_there() {
    let old = WEB.replace("apps/v1", "apps/v1beta1");
    for files in ["-f web.yaml -f again.yaml", "-f again.yaml -f web.yaml"] {
        let found = rules(&old, &format!("kubectl apply {files} || true\n"));
        assert!(
            found.contains(&"PLM-R003".to_owned()) && !found.contains(&"PLM-R038".to_owned()),
            "{found:?}"
        );
        assert!(found.contains(&"PLM-R001".to_owned()), "the wait ends: {found:?}");
    }
}

#[test]
fn what_is_refused_for_one_reason_is_told_once() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let old =
        |name: &str, api: &str| format!("apiVersion: {api}\nkind: Deployment\nmetadata: {{name: {name}}}\n");
    let all = [old("a", "apps/v1beta1"), old("b", "apps/v1beta1"), old("c", "apps/v1beta2")].join("---\n");
    std::fs::write(folder.path().join("all.yaml"), all).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_plimsoll"));
    let output = command.current_dir(folder.path()).args(["check", "all.yaml"]).output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text.matches("error[PLM-R003/stuck]").count(), 2, "{text}");
    assert!(text.contains("and 1 more    Deployment/default/b"), "{text}");
}
