//! A port of a container that only behaves: it takes every connection, says 200 to every HTTP request, plain or over
//! TLS, and "serving" to every gRPC health check.

use bytes::Bytes;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use std::convert::Infallible;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

/// The first byte of every TLS connection.
const HANDSHAKE: u8 = 22;

/// `HealthCheckResponse{status: SERVING}` as one uncompressed message.
const SERVING: &[u8] = &[0, 0, 0, 0, 2, 8, 1];

type Body = http_body_util::combinators::BoxBody<Bytes, Infallible>;

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
            service_fn(|request| async move { Ok::<_, Infallible>(answer(&request)) }),
        )
        .await;
}

fn answer(request: &Request<Incoming>) -> Response<Body> {
    let kind = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if !kind.starts_with("application/grpc") {
        return Response::new(Full::new(Bytes::from_static(b"ok\n")).boxed());
    }
    let status =
        HeaderMap::from_iter([(HeaderName::from_static("grpc-status"), HeaderValue::from_static("0"))]);
    let frames = [Ok(Frame::data(Bytes::from_static(SERVING))), Ok(Frame::trailers(status))];
    let mut response = Response::new(StreamBody::new(tokio_stream::iter(frames)).boxed());
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/grpc"));
    response
}
