//! What a script writes on a Namespace after its pods came, and whether these are made anew.
#![expect(clippy::expect_used, reason = "what the tests share may fail as loudly as a test")]

use std::process::Command;

const WEB: &str = "\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: registry.example.com/web:1}]}
";

/// How often a script is told that pods came too early.
fn check(lines: &str, expected: usize) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let script = format!("kubectl create namespace shop\nkubectl apply -f web.yaml\n{lines}\n");
    for (name, text) in [("web.yaml", WEB), ("restart.yaml", ""), ("deploy.sh", &script)] {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    let output = Command::new(env!("CARGO_BIN_EXE_plimsoll"))
        .args(["check", "-o", "json", "--script", "deploy.sh"])
        .current_dir(folder.path())
        .output()
        .expect("the program runs");
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let findings = answer.get("findings").and_then(|findings| findings.as_array()).expect("findings");
    let told = findings.iter().filter(|finding| finding.get("rule").is_some_and(|rule| rule == "PLM-R077"));
    assert_eq!(told.count(), expected, "{lines}");
}

#[test]
fn only_what_makes_these_pods_anew_helps() {
    let label = "kubectl label namespace shop istio-injection=enabled";
    check(label, 1);
    for other in [
        "kubectl apply -f restart.yaml",
        "kubectl delete job seed",
        "kubectl rollout restart deploy/api -n shop",
    ] {
        check(&format!("{label}\n{other}"), 1);
    }
    for anew in [
        "kubectl rollout restart deployment/web -n shop",
        "kubectl rollout restart deployment -n shop",
        "kubectl delete pods --all -n shop",
        "kubectl delete pod -l app=web -n shop",
        "kubectl delete deployment web -n shop",
    ] {
        check(&format!("{label}\n{anew}"), 0);
    }
    check("kubectl label namespace shop istio-injection=$MODE", 0);
    check("kubectl label namespace shop istio-injection=disabled", 0);
}
