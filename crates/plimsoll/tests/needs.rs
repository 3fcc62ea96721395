//! What must be there before: whether the input has it in a place where it does not help.
#![expect(clippy::expect_used, reason = "what the tests share may fail as loudly as a test")]

use std::process::Command;

const CONFIG: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: kube-public}\n";

const POD: &str = "apiVersion: v1
kind: Pod
metadata: {name: web, namespace: default}
spec:
  containers:
  - name: web
    image: web
    envFrom: [{configMapRef: {name: settings}}]
";

#[test]
fn what_is_needed_here_and_delivered_in_another_namespace_is_told() {
    let told = check(&[]);
    assert!(told.contains("the input has ConfigMap/kube-public/settings"), "{told}");
    let told: serde_json::Value = serde_json::from_str(&check(&["-o", "json"])).expect("a report");
    let mut needs = told["needs"].as_array().expect("needs").iter();
    let elsewhere = needs.find_map(|need| need.get("elsewhere"));
    assert_eq!(elsewhere, Some(&serde_json::json!(["ConfigMap/kube-public/settings"])), "{told}");
}

/// What the program says of a pod whose ConfigMap is in another namespace.
fn check(arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in [("a.yaml", CONFIG), ("b.yaml", POD)] {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_plimsoll"));
    let output =
        command.arg("check").args(arguments).current_dir(folder.path()).env_remove("COLUMNS").output();
    String::from_utf8(output.expect("the program runs").stdout).expect("text")
}
