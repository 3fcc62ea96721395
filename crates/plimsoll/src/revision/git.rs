//! The program git: asked without a shell, and never for anything that writes.

use plimsoll_sources::Refusal;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;

/// A link that leads further than this is none that people make.
const MOST_LINK_BYTES: u64 = 4096;

/// A running `git cat-file --batch`, which gives the content of objects.
pub(super) struct Git {
    child: Child,
    pipes: Mutex<(ChildStdin, BufReader<ChildStdout>)>,
}

impl Git {
    pub(super) fn start() -> Result<Self, String> {
        let mut command = command(&["cat-file", "--batch"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| missing(&error))?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(input), Some(output)) => {
                Ok(Self { child, pipes: Mutex::new((input, BufReader::new(output))) })
            }
            _ => Err("git has no pipes".to_owned()),
        }
    }

    /// The bytes of an object, if they are not more than the limit.
    pub(super) fn read(&self, object: &str, limit: u64) -> Result<Vec<u8>, Refusal> {
        let mut pipes = self.pipes.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let (input, output) = &mut *pipes;
        writeln!(input, "{object}")?;
        input.flush()?;
        // `<object> SP <type> SP <size> LF <content> LF`, or `<object> SP missing LF`.
        let mut header = String::new();
        output.read_line(&mut header)?;
        let size = header.split_whitespace().nth(2).and_then(|size| size.parse::<u64>().ok());
        let Some(size) = size else { return Err(Refusal::Failed(format!("git says: {}", header.trim()))) };
        if size > limit {
            std::io::copy(&mut output.take(size.saturating_add(1)), &mut std::io::sink())?;
            return Err(Refusal::TooLarge);
        }
        let mut bytes = Vec::new();
        output.take(size).read_to_end(&mut bytes)?;
        output.read_exact(&mut [0])?;
        Ok(bytes)
    }

    /// Where a link leads.
    pub(super) fn text(&self, object: &str) -> Option<String> {
        String::from_utf8(self.read(object, MOST_LINK_BYTES).ok()?).ok()
    }
}

impl Drop for Git {
    fn drop(&mut self) {
        // It has nothing to lose; whether it had ended by itself does not matter.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The one line that git prints.
pub(super) fn line(arguments: &[&str]) -> Result<String, String> {
    let text = String::from_utf8(bytes(arguments)?).map_err(|_| "git prints no text".to_owned())?;
    Ok(text.trim_end_matches(['\n', '\r']).to_owned())
}

/// Everything that git prints.
pub(super) fn bytes(arguments: &[&str]) -> Result<Vec<u8>, String> {
    let output = command(arguments).output().map_err(|error| missing(&error))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let said = said.trim().trim_start_matches("fatal: ");
    Err(if said.is_empty() { output.status.to_string() } else { said.to_owned() })
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.args(arguments).env("GIT_OPTIONAL_LOCKS", "0").env("LC_ALL", "C").stdin(Stdio::null());
    command
}

fn missing(error: &std::io::Error) -> String {
    format!("git cannot be run ({error})")
}
