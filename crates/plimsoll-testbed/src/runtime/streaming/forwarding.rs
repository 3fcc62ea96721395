//! `kubectl port-forward`: each connection is a pair of streams, led to the pod's loopback by a helper that joins its
//! network namespace.

use super::remote_command::copy;
use super::spdy::{Connection, Stream};
use crate::runtime::node::Node;
use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Ipv6Addr, Shutdown, SocketAddr, TcpStream};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::Command;

/// Forwards every connection the client opens.
pub(super) async fn serve(node: &Node, mut connection: Connection, pod: &str) {
    let Ok(pod) = node.pod(pod).await else { return };
    let namespace = pod.network_namespace();
    let mut waiting: HashMap<String, Stream> = HashMap::new();
    while let Some(stream) = connection.next().await {
        let request = stream.headers.get("requestid").to_owned();
        let Some(other) = waiting.remove(&request) else {
            waiting.insert(request, stream);
            continue;
        };
        let is_data = stream.headers.get("streamtype") == "data";
        let (data, error) = if is_data { (stream, other) } else { (other, stream) };
        tokio::spawn(forward(node.program.clone(), namespace.clone(), data, error));
    }
}

async fn forward(program: PathBuf, namespace: Option<PathBuf>, mut data: Stream, error: Stream) {
    let port = data.headers.get("port").to_owned();
    let mut command = Command::new(program);
    command.arg("pod-connect").arg(&port).args(namespace);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    let failure = match command.spawn() {
        Ok(mut child) => {
            let (input, output, errors) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
            let typing = tokio::spawn(async move {
                let Some(mut input) = input else { return };
                while let Some(bytes) = data.data.recv().await {
                    if input.write_all(&bytes).await.is_err() {
                        return;
                    }
                }
            });
            let _ = copy(output, Some(data.sender.clone())).await;
            typing.abort();
            let mut said = String::new();
            if let Some(mut errors) = errors {
                let _ = errors.read_to_string(&mut said).await;
            }
            said
        }
        Err(cause) => cause.to_string(),
    };
    if !failure.is_empty() {
        // Without it the client only sees a closed connection.
        let _ =
            error.sender.send(format!("error forwarding port {port}: {}", failure.trim()).as_bytes()).await;
    }
    data.sender.finish().await;
    error.sender.finish().await;
}

/// The helper: joins the namespace, connects to a port of its loopback, and copies both ways.
pub(crate) fn connect(port: u16, namespace: Option<&Path>) -> io::Result<()> {
    if let Some(namespace) = namespace {
        let file = std::fs::File::open(namespace)?;
        rustix::thread::move_into_link_name_space(file.as_fd(), None)?;
    }
    let addresses =
        [SocketAddr::from((Ipv4Addr::LOCALHOST, port)), SocketAddr::from((Ipv6Addr::LOCALHOST, port))];
    let mut stream = TcpStream::connect(&addresses[..])?;
    let mut upstream = stream.try_clone()?;
    std::thread::spawn(move || {
        // The client's end is the connection's; an error is its end, too.
        let _ = pass(&mut io::stdin().lock(), &mut upstream);
        let _ = upstream.shutdown(Shutdown::Write);
    });
    pass(&mut stream, &mut io::stdout().lock())
}

fn pass(from: &mut impl Read, to: &mut impl Write) -> io::Result<()> {
    let mut piece = vec![0; 32 * 1024];
    loop {
        let read = from.read(&mut piece)?;
        let fresh = piece.get(..read).unwrap_or_default();
        if fresh.is_empty() {
            return Ok(());
        }
        to.write_all(fresh)?;
        to.flush()?;
    }
}
