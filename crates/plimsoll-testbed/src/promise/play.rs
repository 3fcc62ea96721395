//! A case played for real: its files on disk, its script in a real shell, the real kubectl behind it.

use super::case::{Case, SCRIPT};
use super::failure::PromiseError;
use crate::processes::tied;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// What cases are played with.
#[derive(Debug, Clone)]
pub(super) struct Stage {
    pub(super) kubeconfig: PathBuf,
    /// Where everything is written.
    pub(super) folder: PathBuf,
    pub(super) kubectl: PathBuf,
    pub(super) kustomize: PathBuf,
}

/// What a case left behind, besides its requests.
#[derive(Debug, Clone, Default)]
pub(super) struct Played {
    /// The prefix it was played under.
    pub(super) prefix: String,
    /// The exit code of every command that ran, by its number.
    pub(super) codes: BTreeMap<usize, i32>,
    /// What the commands complained about.
    pub(super) complaints: String,
}

/// Runs the real program and notes its exit code under the name it asked in.
const WRAPPER: &str = r#"#!/bin/sh
"$REAL_KUBECTL" "$@"
code=$?
if [ "$1" = --as ]; then echo "$2 $code" >> "$CODES"; fi
exit $code
"#;

impl Stage {
    /// Plays a case under a prefix; again under another one where the machine was too busy to answer in time.
    pub(super) fn play_in_peace(&self, case: &Case, prefix: &str) -> Result<Played, PromiseError> {
        let mut prefix = prefix.to_owned();
        loop {
            let played = self.play(case, &prefix)?;
            if !played.is_starved() || prefix.ends_with("again") {
                return Ok(played);
            }
            prefix.push_str("again");
        }
    }

    fn play(&self, case: &Case, prefix: &str) -> Result<Played, PromiseError> {
        let folder = tempfile::tempdir_in(&self.folder).map_err(|cause| file(&self.folder, cause))?;
        for (path, text) in case.render(prefix) {
            write(&folder.path().join("case").join(path), &text)?;
        }
        let programs = folder.path().join("programs");
        write(&programs.join("kubectl"), WRAPPER)?;
        fs::set_permissions(programs.join("kubectl"), fs::Permissions::from_mode(0o755))
            .and_then(|()| std::os::unix::fs::symlink(&self.kustomize, programs.join("kustomize")))
            .map_err(|cause| file(&programs, cause))?;
        let codes = folder.path().join("codes");
        let path = std::env::var("PATH").unwrap_or_default();
        let output = tied("bash")
            .arg(SCRIPT)
            .current_dir(folder.path().join("case"))
            .env("PATH", format!("{}:{path}", programs.display()))
            .env("HOME", folder.path())
            .env("KUBECONFIG", &self.kubeconfig)
            .env("KUBECTL_APPLYSET", "true")
            .env("REAL_KUBECTL", &self.kubectl)
            .env("CODES", &codes)
            .stdin(Stdio::null())
            .output()
            .map_err(|cause| PromiseError::Run { program: "bash".to_owned(), cause })?;
        let noted = fs::read_to_string(&codes).unwrap_or_default();
        let complaints = String::from_utf8_lossy(&output.stderr).into_owned();
        let codes = noted.lines().filter_map(exit_code).collect();
        Ok(Played { prefix: prefix.to_owned(), codes, complaints })
    }
}

impl Played {
    /// Whether kubectl gave up waiting for an answer: no word of a tool's promise.
    fn is_starved(&self) -> bool {
        ["Client.Timeout exceeded", "TLS handshake timeout", "context deadline exceeded", "i/o timeout"]
            .iter()
            .any(|words| self.complaints.contains(words))
    }
}

/// `c7-0 1`: the number of the command and its code.
fn exit_code(line: &str) -> Option<(usize, i32)> {
    let (user, code) = line.split_once(' ')?;
    let (_, number) = user.rsplit_once('-')?;
    Some((number.parse().ok()?, code.parse().ok()?))
}

fn write(path: &Path, text: &str) -> Result<(), PromiseError> {
    let parent = path.parent().unwrap_or(path);
    fs::create_dir_all(parent).and_then(|()| fs::write(path, text)).map_err(|cause| file(path, cause))
}

fn file(path: &Path, cause: std::io::Error) -> PromiseError {
    PromiseError::File { path: path.to_owned(), cause }
}
