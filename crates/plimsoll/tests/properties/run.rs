//! Runs the program on a bundle.

use crate::bundle::Bundle;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

/// What the program found.
pub(crate) struct Found {
    pub(crate) text: String,
    /// One line for each finding: rule, both ends, consequence.
    pub(crate) races: Vec<String>,
    /// Rule and both ends.
    pub(crate) pairs: BTreeSet<String>,
}

pub(crate) fn check(bundle: &Bundle) -> Found {
    let files = bundle.files();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    check_folder(&files, &bundle.script())
}

pub(crate) fn check_folder(files: &[(&str, &str)], script: &str) -> Found {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    fs::write(folder.path().join("deploy.sh"), script).expect("a script");
    let output = Command::new(env!("CARGO_BIN_EXE_plimsoll"))
        .current_dir(folder.path())
        .args(["check", "-o", "json", "--pedantic", "--script", "deploy.sh"])
        .output()
        .expect("plimsoll runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let report: Value = serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    let problems = &report["coverage"]["problems"];
    assert_eq!(problems.as_array().map(Vec::len), Some(0), "{problems}");
    let findings = report["findings"].as_array().cloned().unwrap_or_default();
    let pair = |finding: &Value| {
        format!("{} {} {}", finding["rule"], finding["before"]["object"], finding["after"]["object"])
            .replace('"', "")
    };
    Found {
        races: findings
            .iter()
            .map(|finding| format!("{} {}", pair(finding), finding["consequence"]))
            .collect(),
        pairs: findings.iter().map(pair).collect(),
        text,
    }
}
