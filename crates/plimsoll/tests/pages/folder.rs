//! An example on disk, and what the program says of it.

use plimsoll_knowledge::page::{Example, SCRIPT, fits};
use serde_json::Value;
use std::fs;
use std::process::Command;

/// What `plimsoll check` found in an example.
pub(crate) struct Checked {
    pub(crate) text: String,
    findings: Vec<Value>,
}

impl Checked {
    /// Writes the example to a folder of its own and checks it the way its script deploys it.
    pub(crate) fn run(example: &Example) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in &example.files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("folders of an example");
            fs::write(path, text).expect("a file of an example");
        }
        fs::write(folder.path().join(SCRIPT), example.deployed_by()).expect("the script of an example");
        let mut command = Command::new(env!("CARGO_BIN_EXE_plimsoll"));
        command.current_dir(folder.path());
        command.args(["check", "-o", "json", "--pedantic", "--script", SCRIPT]);
        for attribute in &example.attributes {
            match attribute.split_once('=') {
                Some(("operation", operation)) => command.args(["--operation", operation]),
                Some(("from", path)) => command.args(["--from", path]),
                Some(("kube", version)) => command.args(["--kube-version", version]),
                None if attribute == "closed" => command.arg("--closed"),
                _ => panic!("{}: unknown attribute {attribute}", example.name),
            };
        }
        let output = command.output().expect("plimsoll runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let report: Value = serde_json::from_str(&text).unwrap_or_else(|error| {
            panic!("{}: {error}\n{text}\n{}", example.name, String::from_utf8_lossy(&output.stderr))
        });
        let problems = &report["coverage"]["problems"];
        assert_eq!(problems.as_array().map(Vec::len), Some(0), "{}: {problems}", example.name);
        let findings = report["findings"].as_array().cloned().unwrap_or_default();
        Self { text, findings }
    }

    /// Every finding as `file:line CODE consequence`.
    pub(crate) fn races(&self) -> impl Iterator<Item = String> {
        self.findings.iter().map(|finding| {
            let after = &finding["after"];
            format!(
                "{}:{} {} {}",
                after["file"].as_str().unwrap_or_default(),
                after["line"],
                finding["rule"].as_str().unwrap_or_default(),
                finding["consequence"].as_str().unwrap_or_default()
            )
        })
    }

    /// The consequence of the finding at a line, for comments that do not name one.
    pub(crate) fn consequence(&self, code: &str, file: &str, line: usize) -> String {
        let start = format!("{file}:{line} {code} ");
        self.races().find_map(|race| race.strip_prefix(&start).map(str::to_owned)).unwrap_or_default()
    }

    /// Whether every finding says what to do about it.
    pub(crate) fn is_mended(&self) -> bool {
        self.findings.iter().all(|finding| finding["fixes"].as_array().is_some_and(|fixes| !fixes.is_empty()))
    }

    /// Whether some finding's timeline has an answer; `{…}` stands for any text.
    pub(crate) fn answers(&self, wanted: &str) -> bool {
        let instants = self.findings.iter().filter_map(|finding| finding["timeline"].as_array()).flatten();
        instants.filter_map(|instant| instant["answer"].as_str()).any(|answer| fits(wanted, answer))
    }
}
