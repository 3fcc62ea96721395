//! Starting a container: process 1 in new namespaces, told over a socket what to be, and watched until it ends.

mod arrangement;

use super::container::{Container, Exit, Phase, Running};
use super::error::RuntimeError;
use super::inside::Specification;
use super::log::Output;
use super::node::{Node, now};
use super::terminal::Terminal;
use arrangement::Arrangement;
use std::os::unix::process::ExitStatusExt;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{UnixListener, UnixStream};
use tokio::process::{Child, Command};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// How long process 1 may take to report.
const PATIENCE: Duration = Duration::from_mins(1);

/// How long output may linger after the last process has ended.
const LINGERING: Duration = Duration::from_secs(5);

/// Starts a container. One that cannot be started has ended, with the code and reason that other runtimes give.
pub(crate) async fn start(node: &Node, container: &Arc<Container>) -> Result<(), RuntimeError> {
    let started = attempt(node, container).await;
    if let Err(error) = &started {
        let exit =
            Exit { started: 0, finished: now(), code: 128, reason: "StartError", message: error.to_string() };
        container.phase.send_replace(Phase::Exited(exit));
    }
    started
}

async fn attempt(node: &Node, container: &Arc<Container>) -> Result<(), RuntimeError> {
    let arrangement = Arrangement::of(node, container).await?;
    // The kernel takes paths of sockets only up to 107 characters, so it is not in the container's own folder.
    let control = node.options.state.join(container.id.get(..16).unwrap_or_default());
    let listener =
        UnixListener::bind(&control).map_err(RuntimeError::at(format!("listen on {}", control.display())))?;
    let mut command = Command::new("unshare");
    command
        .args(["--mount", "--pid", "--fork", "--kill-child"])
        .arg(&node.program)
        .arg("container-init")
        .arg(&control);
    let (mut child, outputs) = spawn(container, command).await?;
    let told = tell(&listener, &mut child, &arrangement.specification).await;
    let _ = std::fs::remove_file(&control);
    let (pid, stream) = match told {
        Ok(told) => told,
        Err(error) => {
            // It has ended by itself, or it hangs.
            let _ = child.kill().await;
            return Err(error);
        }
    };
    let (_, writer) = stream.into_inner().into_split();
    *container.control.lock().await = Some(writer);
    let entry = arrangement.specification.entry;
    let running = Running { pid, started: now(), entry, deed: arrangement.deed };
    container.phase.send_replace(Phase::Running(Arc::new(running)));
    tokio::spawn(watch(Arc::clone(container), child, outputs));
    Ok(())
}

/// Hands the specification to process 1 and waits for its report; answers its number.
async fn tell(
    listener: &UnixListener,
    child: &mut Child,
    specification: &Specification,
) -> Result<(i32, BufReader<UnixStream>), RuntimeError> {
    let connection = tokio::select! {
        connection = timeout(PATIENCE, listener.accept()) => connection,
        _ = child.wait() => return Err(RuntimeError::Start("its process 1 did not start; see the container's log".to_owned())),
    };
    let late = |_| RuntimeError::Start("its process 1 did not report in time".to_owned());
    let (stream, _) = connection.map_err(late)?.map_err(RuntimeError::at("accept process 1"))?;
    let pid = stream.peer_cred().map_err(RuntimeError::at("ask for process 1"))?.pid().unwrap_or_default();
    let mut text =
        serde_json::to_vec(specification).map_err(|error| RuntimeError::Start(error.to_string()))?;
    text.push(b'\n');
    let mut stream = BufReader::new(stream);
    stream.write_all(&text).await.map_err(RuntimeError::at("tell process 1"))?;
    let mut report = String::new();
    let read = timeout(PATIENCE, stream.read_line(&mut report)).await.map_err(late)?;
    read.map_err(RuntimeError::at("hear process 1"))?;
    match report.trim_end() {
        "started" => Ok((pid, stream)),
        "" => Err(RuntimeError::Start("its process 1 ended without a report".to_owned())),
        reason => Err(RuntimeError::Start(reason.to_owned())),
    }
}

/// Starts the first process with its outputs led to the log, and its input to whoever attaches.
async fn spawn(
    container: &Arc<Container>,
    mut command: Command,
) -> Result<(Child, Vec<JoinHandle<()>>), RuntimeError> {
    let failed = || RuntimeError::at("run unshare; install util-linux");
    command.kill_on_drop(true);
    let follow = |output, from| {
        let log = Arc::clone(&container.log);
        tokio::spawn(async move { log.follow(output, from).await })
    };
    if container.config.tty {
        let terminal = Terminal::open().map_err(RuntimeError::at("open a terminal"))?;
        let end =
            || terminal.theirs.try_clone().map(Stdio::from).map_err(RuntimeError::at("open a terminal"));
        command.stdin(end()?).stdout(end()?).stderr(end()?);
        let child = command.spawn().map_err(failed())?;
        let ours = terminal.ours.try_clone().map_err(RuntimeError::at("open a terminal"))?;
        accept_input(container, tokio::fs::File::from_std(ours)).await;
        let from: Box<dyn tokio::io::AsyncRead + Send + Unpin> =
            Box::new(tokio::fs::File::from_std(terminal.ours));
        return Ok((child, vec![follow(Output::Stdout, from)]));
    }
    let input = if container.config.stdin { Stdio::piped() } else { Stdio::null() };
    let mut child =
        command.stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(failed())?;
    if let Some(stdin) = child.stdin.take() {
        accept_input(container, stdin).await;
    }
    let mut outputs = Vec::new();
    if let Some(stdout) = child.stdout.take() {
        outputs.push(follow(Output::Stdout, Box::new(stdout)));
    }
    if let Some(stderr) = child.stderr.take() {
        outputs.push(follow(Output::Stderr, Box::new(stderr)));
    }
    Ok((child, outputs))
}

/// Leads what is typed to the container into it, until nobody can type any more.
async fn accept_input(container: &Container, mut into: impl tokio::io::AsyncWrite + Send + Unpin + 'static) {
    let (sender, mut typed) = mpsc::channel::<Vec<u8>>(16);
    *container.input.lock().await = Some(sender);
    tokio::spawn(async move {
        while let Some(bytes) = typed.recv().await {
            if into.write_all(&bytes).await.is_err() || into.flush().await.is_err() {
                break;
            }
        }
    });
}

/// Waits for a container's end, and for its last words.
async fn watch(container: Arc<Container>, mut child: Child, outputs: Vec<JoinHandle<()>>) {
    let status = child.wait().await;
    let finished = now();
    for output in outputs {
        // All its processes have ended; only a terminal can be slow.
        let _ = timeout(LINGERING, output).await;
    }
    container.control.lock().await.take();
    container.input.lock().await.take();
    let started = container.running().map(|running| running.started).unwrap_or_default();
    let code = status.map_or(255, code);
    let reason = if code == 0 { "Completed" } else { "Error" };
    container.phase.send_replace(Phase::Exited(Exit {
        started,
        finished,
        code,
        reason,
        message: String::new(),
    }));
}

/// The exit code as shells count.
pub(super) fn code(status: ExitStatus) -> i32 {
    status.code().or(status.signal().map(|signal| 128 + signal)).unwrap_or(255)
}
