//! A folder of files in which the program is run.

use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// A ConfigMap that is sent before its namespace: one finding of PLM-R001.
pub(crate) const TOO_LATE: &str = "\
apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
  namespace: shop
---
apiVersion: v1
kind: Namespace
metadata: {name: shop}
";

/// A folder of its own that is gone with the test.
pub(crate) struct Folder(tempfile::TempDir);

/// What the program said.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Folder {
    /// A folder with these files.
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        let folder = Self(tempfile::tempdir().expect("a temporary folder"));
        for (path, text) in files {
            folder.write(path, text);
        }
        folder
    }

    /// Writes a file, and the folders it stands in.
    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Runs the program here.
    pub(crate) fn run(&self, arguments: &[&str]) -> Answer {
        run_in(self.path(), arguments)
    }

    /// The report of a check as JSON.
    pub(crate) fn report(&self, arguments: &[&str]) -> Value {
        let answer = self.run(&[&["check", "-o", "json"], arguments].concat());
        assert!(answer.code < 2, "{}", answer.err);
        serde_json::from_str(&answer.out).unwrap_or_else(|error| panic!("{error}: {answer:?}"))
    }
}

/// Runs the program in a folder.
pub(crate) fn run_in(folder: &Path, arguments: &[&str]) -> Answer {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plimsoll"));
    command.args(arguments).current_dir(folder).env_remove("CLICOLOR_FORCE").env_remove("COLUMNS");
    let output = command.output().expect("the program runs");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    Answer { code: output.status.code().unwrap_or(-1), out: text(output.stdout), err: text(output.stderr) }
}
