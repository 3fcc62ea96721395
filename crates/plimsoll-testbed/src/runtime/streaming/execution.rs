//! `kubectl exec`: a command in a container with its streams at the client.

use super::remote_command::{Channels, copy, ended, failed, size};
use super::spdy::{Connection, Stream};
use crate::runtime::error::RuntimeError;
use crate::runtime::execute::Execution;
use crate::runtime::interface::ExecRequest;
use crate::runtime::node::Node;
use crate::runtime::terminal::{Terminal, resize};
use std::process::Stdio;
use tokio::fs::File;
use tokio::io::{AsyncWrite, AsyncWriteExt};

/// Runs the command and says how it ended.
pub(super) async fn serve(node: &Node, mut connection: Connection, request: ExecRequest) {
    let expected = [request.stdin, request.stdout, request.stderr, request.tty];
    let Some(mut channels) = Channels::open(&mut connection, &expected).await else { return };
    let run = run(node, request, &mut channels);
    // A client that is gone takes its command with it.
    let outcome = tokio::select! {
        outcome = run => outcome,
        () = async { while connection.next().await.is_some() {} } => return,
    };
    let status = outcome.map_or_else(|error| failed(&error.to_string()), ended);
    channels.close(&status).await;
}

async fn run(node: &Node, request: ExecRequest, channels: &mut Channels) -> Result<i32, RuntimeError> {
    let container = node.container(&request.container_id).await?;
    if request.tty {
        let terminal = Terminal::open().map_err(RuntimeError::at("open a terminal"))?;
        let end =
            || terminal.theirs.try_clone().map(Stdio::from).map_err(RuntimeError::at("open a terminal"));
        let ours =
            || terminal.ours.try_clone().map(File::from_std).map_err(RuntimeError::at("open a terminal"));
        let mut execution = Execution::begin(node, &container, request.cmd, true, (end()?, end()?, end()?))?;
        let (input, output) = (ours()?, ours()?);
        drop(terminal.theirs);
        if let Some(stream) = channels.resize.take() {
            tokio::spawn(follow_size(stream, terminal.ours));
        }
        tokio::spawn(type_in(channels.stdin.take(), Some(input)));
        let (status, copied) =
            tokio::join!(execution.child.wait(), copy(Some(output), channels.stdout.clone()));
        let _ = copied;
        return execution.outcome(status.map_err(RuntimeError::at("wait for the command"))?);
    }
    let input = if request.stdin { Stdio::piped() } else { Stdio::null() };
    let streams = (input, Stdio::piped(), Stdio::piped());
    let mut execution = Execution::begin(node, &container, request.cmd, false, streams)?;
    tokio::spawn(type_in(channels.stdin.take(), execution.child.stdin.take()));
    let stdout = copy(execution.child.stdout.take(), channels.stdout.clone());
    let stderr = copy(execution.child.stderr.take(), channels.stderr.clone());
    let (status, _, _) = tokio::join!(execution.child.wait(), stdout, stderr);
    execution.outcome(status.map_err(RuntimeError::at("wait for the command"))?)
}

/// Leads what the client types into the command.
async fn type_in(stream: Option<Stream>, into: Option<impl AsyncWrite + Unpin>) {
    let (Some(mut stream), Some(mut into)) = (stream, into) else { return };
    while let Some(bytes) = stream.data.recv().await {
        if into.write_all(&bytes).await.is_err() || into.flush().await.is_err() {
            return;
        }
    }
}

async fn follow_size(mut stream: Stream, terminal: std::fs::File) {
    while let Some(message) = stream.data.recv().await {
        if let Some((columns, rows)) = size(&message) {
            // Only the picture suffers.
            let _ = resize(&terminal, columns, rows);
        }
    }
}
