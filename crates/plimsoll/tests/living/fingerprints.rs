//! A finding keeps its name while lines move and files are renamed.

use crate::folder::{Folder, TOO_LATE};

fn names(files: &[(&str, &str)], arguments: &[&str]) -> Vec<String> {
    let report = Folder::of(files).report(arguments);
    let findings = report["findings"].as_array().expect("findings");
    findings.iter().map(|finding| finding["fingerprint"].as_str().expect("a name").to_owned()).collect()
}

#[test]
fn a_name_outlives_moved_lines_and_renamed_files() {
    let before = names(&[("a.yaml", TOO_LATE)], &[]);
    assert_eq!(before.len(), 1);
    assert_eq!(before, names(&[("deep/b.yml", &format!("# a line\n\n---\n{TOO_LATE}"))], &[]));
    let other = TOO_LATE.replace("settings", "options");
    assert_ne!(before, names(&[("a.yaml", &other)], &[]));
}

#[test]
fn a_command_of_a_script_is_known_by_its_words() {
    let pod =
        "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: web, image: web}]}\n";
    let script = "set -e\nkubectl apply -f pod.yaml\nkubectl exec web -- true\n";
    let files = |script: &'static str, text: &str| {
        names(&[("pod.yaml", pod), (script, text)], &["--pedantic", "--script", script])
    };
    let before = files("up.sh", script);
    assert!(!before.is_empty());
    assert_eq!(before, files("deploy.sh", &format!("#!/bin/sh\n# a line\n{script}")));
}
