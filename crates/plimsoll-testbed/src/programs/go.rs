//! Runs `go`, says how long it has been at it, and keeps its last lines for the case that it fails.

use super::failure::ProgramError;
use crate::processes::tied;
use std::io::{BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// How many of the last lines are kept.
const KEPT: usize = 12;

/// How often it is said how long it takes.
const TICK: Duration = Duration::from_secs(5);

/// One build, for messages.
pub(super) struct Go<'a> {
    /// What is built, with its version.
    pub(super) what: &'a str,
    /// For the files of Go itself.
    pub(super) temporary: &'a Path,
    pub(super) progress: &'a mut dyn FnMut(&str),
    pub(super) began: Instant,
}

impl Go<'_> {
    /// Runs `go` in a folder until it ends.
    pub(super) fn run(&mut self, folder: &Path, arguments: &[&str]) -> Result<(), ProgramError> {
        let no_go = |cause| ProgramError::NoGo { what: self.what.to_owned(), cause };
        let mut child = tied("go")
            .args(arguments)
            .current_dir(folder)
            // A vendor folder or a workspace of somebody else takes no part.
            .envs([("GOFLAGS", "-mod=mod"), ("GOWORK", "off")])
            // What a build that is killed leaves here goes with its site.
            .env("GOTMPDIR", self.temporary)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(no_go)?;
        let (sender, lines) = mpsc::channel();
        listen(child.stdout.take(), &sender);
        listen(child.stderr.take(), &sender);
        drop(sender);
        let last = self.hear(&lines);
        let status = child.wait().map_err(no_go)?;
        if status.success() { Ok(()) } else { Err(ProgramError::from_lines(self.what, &last)) }
    }

    /// Keeps the last lines until both streams end.
    fn hear(&mut self, lines: &mpsc::Receiver<String>) -> Vec<String> {
        let mut last: Vec<String> = Vec::new();
        loop {
            match lines.recv_timeout(TICK) {
                Ok(line) => {
                    last.push(line);
                    if last.len() > KEPT {
                        last.remove(0);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    let seconds = self.began.elapsed().as_secs();
                    (self.progress)(&format!("building {}: {seconds} s", self.what));
                }
                Err(RecvTimeoutError::Disconnected) => return last,
            }
        }
    }
}

fn listen(stream: Option<impl Read + Send + 'static>, lines: &mpsc::Sender<String>) {
    let lines = lines.clone();
    let Some(stream) = stream else { return };
    thread::spawn(move || {
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            // Nobody listens any more only when nobody cares.
            let _ = lines.send(line);
        }
    });
}

/// The folder of a module such as `sigs.k8s.io/kwok@v0.8.0`, fetched if it must be. A module's zip holds the project's
/// other files too: charts, definitions, examples.
pub fn module_folder(module: &str) -> Result<PathBuf, ProgramError> {
    let output = tied("go")
        // Outside any Go module, so that no go.mod of the caller takes part.
        .current_dir(std::env::temp_dir())
        .args(["mod", "download", "-json", module])
        .output()
        .map_err(|cause| ProgramError::NoGo { what: module.to_owned(), cause })?;
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let field = |name: &str| answer.get(name).and_then(serde_json::Value::as_str);
    if let Some(folder) = field("Dir") {
        return Ok(PathBuf::from(folder));
    }
    let complaint = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<String> = field("Error").unwrap_or(&complaint).lines().map(str::to_owned).collect();
    Err(ProgramError::from_lines(module, &lines))
}
