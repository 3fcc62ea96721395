//! Commands executed in a running container: probes, hooks, `kubectl exec`.

use super::container::Container;
use super::error::RuntimeError;
use super::inside::Entry;
use super::interface::ExecSyncResponse;
use super::node::{Node, now};
use super::start::code;
use rustix::process::{Pid, Signal, kill_process};
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, Command};
use tokio::time::timeout;

/// The most output of one command that is kept, as other runtimes do it.
const MOST: u64 = 16 * 1024 * 1024;

static SEQUENCE: AtomicU64 = AtomicU64::new(0);

/// A command in a container, while it runs.
#[derive(Debug)]
pub(crate) struct Execution {
    /// The process that entered the container; it ends as the command does.
    pub(crate) child: Child,
    file: PathBuf,
}

/// Runs a command to its end, for a probe or a hook.
pub(crate) async fn synchronously(
    node: &Node,
    container: &Container,
    words: Vec<String>,
    patience: Duration,
) -> Result<ExecSyncResponse, RuntimeError> {
    if let Some(answer) = behaved(container, patience)? {
        return Ok(answer);
    }
    let name = words.join(" ");
    let streams = || (Stdio::null(), Stdio::piped(), Stdio::piped());
    let mut execution = Execution::begin(node, container, words, false, streams())?;
    let (stdout, stderr) = (execution.child.stdout.take(), execution.child.stderr.take());
    let all = async { tokio::join!(whole(stdout), whole(stderr), execution.child.wait()) };
    let ended = if patience.is_zero() { Ok(all.await) } else { timeout(patience, all).await };
    let Ok((stdout, stderr, status)) = ended else {
        return Err(RuntimeError::TimedOut(name));
    };
    let status = status.map_err(RuntimeError::at(format!("wait for {name}")))?;
    Ok(ExecSyncResponse { stdout, stderr, exit_code: execution.outcome(status)? })
}

/// The answer of a container that only behaves. Hooks, which have no time limit, always succeed; probes do once it is
/// ready: the command they name exists in the image and not here.
fn behaved(container: &Container, patience: Duration) -> Result<Option<ExecSyncResponse>, RuntimeError> {
    let running = container.running()?;
    let Some(deed) = &running.deed else { return Ok(None) };
    let age = Duration::from_nanos(u64::try_from(now() - running.started).unwrap_or(0));
    let ready = patience.is_zero() || deed.ready_after().is_some_and(|after| age >= after);
    let stdout = if ready { "" } else { "not ready yet, as its behaviour says\n" };
    Ok(Some(ExecSyncResponse { stdout: stdout.into(), stderr: Vec::new(), exit_code: i32::from(!ready) }))
}

impl Execution {
    /// Begins a command as the container's user, with its variables.
    pub(crate) fn begin(
        node: &Node,
        container: &Container,
        words: Vec<String>,
        terminal: bool,
        (input, output, errors): (Stdio, Stdio, Stdio),
    ) -> Result<Self, RuntimeError> {
        let running = container.running()?;
        let entry = Entry { words, terminal, ..running.entry.clone() };
        let file = container.folder.join(format!("exec-{}", SEQUENCE.fetch_add(1, Ordering::Relaxed)));
        let unwritten = |cause: serde_json::Error| RuntimeError::at("describe the command")(cause.into());
        let text = serde_json::to_vec(&entry).map_err(unwritten)?;
        std::fs::write(&file, text).map_err(RuntimeError::at(format!("write {}", file.display())))?;
        let child = Command::new(&node.program)
            .args(["container-exec", &running.pid.to_string()])
            .arg(&file)
            .stdin(input)
            .stdout(output)
            .stderr(errors)
            .spawn()
            .map_err(RuntimeError::at("enter the container"))?;
        Ok(Self { child, file })
    }

    /// The exit code, or why the command could not be started.
    pub(crate) fn outcome(&self, status: ExitStatus) -> Result<i32, RuntimeError> {
        let text = std::fs::read_to_string(&self.file).unwrap_or_default();
        match text.strip_prefix("failed: ") {
            Some(cause) => {
                let number = self.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
                Err(RuntimeError::Exec { number, cause: cause.to_owned() })
            }
            None => Ok(code(status)),
        }
    }
}

impl Drop for Execution {
    /// A command that nobody waits for any more is killed, by asking who runs it; a kill would only end that one.
    fn drop(&mut self) {
        let pid = self.child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        if let Some(pid) = pid {
            let _ = kill_process(pid, Signal::TERM);
        }
        let _ = std::fs::remove_file(&self.file);
    }
}

async fn whole(from: Option<impl AsyncRead + Unpin>) -> Vec<u8> {
    let mut text = Vec::new();
    if let Some(from) = from {
        // What was read before an error is what there is.
        let _ = from.take(MOST).read_to_end(&mut text).await;
    }
    text
}
