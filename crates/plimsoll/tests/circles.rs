//! Waits that can never end, in charts.
#![expect(clippy::expect_used, reason = "what the tests share may fail as loudly as a test")]

use std::process::Command;

const WORKLOAD: &str = "\
apiVersion: apps/v1
kind: Deployment
metadata: {name: shop}
spec:
  selector: {matchLabels: {app: shop}}
  template:
    metadata: {labels: {app: shop}}
    spec:
      initContainers: [{name: wait, image: \"groundnuty/k8s-wait-for:v2.0\", args: [job, migrate]}]
      containers: [{name: shop, image: \"shop:1\"}]
";

const JOB: &str = "\
apiVersion: batch/v1
kind: Job
metadata:
  name: migrate
  annotations: {helm.sh/hook: EVENT}
spec:
  template:
    spec: {restartPolicy: Never, containers: [{name: migrate, image: \"shop:1\", args: [migrate]}]}
";

/// Rule, class and sentence of each finding where the Job is a hook at an event and Helm is called with these flags.
fn found(event: &str, flags: &[&str]) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    std::fs::create_dir(folder.path().join("templates")).expect("a folder");
    write("Chart.yaml", "apiVersion: v2\nname: shop\nversion: 1.0.0\n");
    write("templates/shop.yaml", WORKLOAD);
    write("templates/job.yaml", &JOB.replace("EVENT", event));
    let output = Command::new(env!("CARGO_BIN_EXE_plimsoll"))
        .args(["check", ".", "-o", "json"])
        .args(flags)
        .current_dir(folder.path())
        .output()
        .expect("the program runs");
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let findings = answer.get("findings").and_then(|all| all.as_array()).expect("findings");
    let text = |finding: &serde_json::Value, key: &str| {
        finding.get(key).and_then(|text| text.as_str()).unwrap_or_default().to_owned()
    };
    let told = |finding| ["rule", "class", "message"].map(|key| text(finding, key)).join(" ");
    findings.iter().map(told).collect()
}

#[test]
fn a_workload_that_waits_for_a_later_hook_is_never_ready() {
    let wait = ["--tool-flag=--wait"];
    let expected = "PLM-R044 hook-deadlock Deployment/default/shop waits for Job/default/migrate, \
                    a hook that Helm runs only once Deployment/default/shop is ready";
    assert_eq!(found("post-install", &wait), [expected]);
    assert_eq!(found("post-install", &[]), [""; 0]);
    assert_eq!(found("pre-install", &wait), [""; 0]);
}
