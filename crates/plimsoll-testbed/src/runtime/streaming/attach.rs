//! `kubectl attach`: a container's own outputs, and its input.

use super::remote_command::{Channels, ended};
use super::spdy::Connection;
use crate::runtime::container::{Container, Phase};
use crate::runtime::interface::AttachRequest;
use crate::runtime::log::Output;
use crate::runtime::node::Node;
use tokio::sync::broadcast::error::RecvError;

/// Leads outputs to the client and its typing to the container, until one of them ends.
pub(super) async fn serve(node: &Node, mut connection: Connection, request: AttachRequest) {
    let Ok(container) = node.container(&request.container_id).await else { return };
    let expected = [request.stdin, request.stdout, request.stderr, request.tty];
    let Some(mut channels) = Channels::open(&mut connection, &expected).await else { return };
    if let (Some(mut stdin), Some(input)) = (channels.stdin.take(), container.input.lock().await.clone()) {
        let once = container.config.stdin_once;
        let container = std::sync::Arc::clone(&container);
        tokio::spawn(async move {
            while let Some(bytes) = stdin.data.recv().await {
                if input.send(bytes).await.is_err() {
                    return;
                }
            }
            if once {
                container.input.lock().await.take();
            }
        });
    }
    tokio::select! {
        () = outputs(&container, &channels) => channels.close(&ended(0)).await,
        () = async { while connection.next().await.is_some() {} } => {}
    }
}

/// Copies outputs until the container ends.
async fn outputs(container: &Container, channels: &Channels) {
    let mut heard = container.log.listen();
    let mut phase = container.phase.subscribe();
    loop {
        let piece = tokio::select! {
            biased;
            piece = heard.recv() => piece,
            _ = phase.wait_for(|phase| matches!(phase, Phase::Exited(_))) => return,
        };
        let (output, bytes) = match piece {
            Ok(piece) => piece,
            // A slow client has lost a piece.
            Err(RecvError::Lagged(_)) => continue,
            Err(RecvError::Closed) => return,
        };
        let to = if output == Output::Stdout { &channels.stdout } else { &channels.stderr };
        if let Some(to) = to
            && to.send(&bytes).await.is_err()
        {
            return;
        }
    }
}
