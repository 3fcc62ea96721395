//! A port of a container that only behaves: it takes every connection and speaks HTTP, plain or over TLS.

use super::answer::answer;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use std::convert::Infallible;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

/// The first byte of every TLS connection.
const HANDSHAKE: u8 = 22;

/// Serves all connections of a port.
pub(super) async fn serve(listener: TcpListener, tls: TlsAcceptor) {
    loop {
        // A connection that fails is its client's affair.
        if let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(connection(stream, tls.clone()));
        }
    }
}

async fn connection(stream: TcpStream, tls: TlsAcceptor) {
    let mut first = [0];
    match stream.peek(&mut first).await {
        Ok(1) if first == [HANDSHAKE] => {
            if let Ok(stream) = tls.accept(stream).await {
                speak(stream).await;
            }
        }
        Ok(1) => speak(stream).await,
        _ => {}
    }
}

async fn speak(stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static) {
    // What is no HTTP has at least been connected to.
    let _ = Builder::new(TokioExecutor::new())
        .serve_connection(
            TokioIo::new(stream),
            service_fn(|request| async move { Ok::<_, Infallible>(answer(request).await) }),
        )
        .await;
}
