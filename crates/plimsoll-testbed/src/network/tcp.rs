//! Connections to a Service, each carried to one of its pods.

use super::backends::Backends;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// Listens until the task is aborted.
pub(super) async fn listen(address: SocketAddr, backends: Arc<Backends>) -> io::Result<JoinHandle<()>> {
    let listener = TcpListener::bind(address).await?;
    Ok(tokio::spawn(async move {
        loop {
            // An error here is a connection that is gone before it is accepted.
            if let Ok((client, _)) = listener.accept().await {
                tokio::spawn(carry(client, Arc::clone(&backends)));
            }
        }
    }))
}

async fn carry(mut client: TcpStream, backends: Arc<Backends>) {
    let Some(address) = backends.next() else { return reset(&client) };
    match TcpStream::connect(address).await {
        Ok(mut pod) => {
            if copy_bidirectional(&mut client, &mut pod).await.is_err() {
                reset(&client);
                reset(&pod);
            }
        }
        Err(_) => reset(&client),
    }
}

/// Lets the end of a connection be a reset; where that cannot be set it is an ordinary end.
fn reset(stream: &TcpStream) {
    let _ = stream.set_zero_linger();
}
