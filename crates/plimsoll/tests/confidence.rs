//! How sure a finding is where a part of the input could not be read.
#![expect(clippy::expect_used, reason = "what the tests share may fail as loudly as a test")]

use std::process::Command;

const ISSUER: &str = "\
apiVersion: cert-manager.io/v1
kind: ClusterIssuer
metadata: {name: internal}
spec: {selfSigned: {}}
";

/// The confidence of the first finding of a script on a cluster that has nothing else.
fn confidence(script: &str) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in [("issuer.yaml", ISSUER), ("deploy.sh", script)] {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    let output = Command::new(env!("CARGO_BIN_EXE_plimsoll"))
        .args(["check", "-o", "json", "--closed", "--script", "deploy.sh"])
        .current_dir(folder.path())
        .output()
        .expect("the program runs");
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    answer.pointer("/findings/0/confidence").and_then(|word| word.as_str()).unwrap_or("nothing").to_owned()
}

#[test]
fn what_was_not_read_may_bring_what_is_missing() {
    assert_eq!(confidence("kubectl apply -f issuer.yaml\n"), "proved");
    let remote = "kubectl apply -f https://example.org/cert-manager.yaml\nkubectl apply -f issuer.yaml\n";
    assert_eq!(confidence(remote), "assumed");
}
