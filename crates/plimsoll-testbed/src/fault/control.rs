//! A proxy in another process is told what to do over a Unix socket: HTTP, JSON bodies, an answer once it is done.

use super::FaultError;
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::future::Future;
use std::path::{Path, PathBuf};
use tokio::net::UnixStream;

/// The client's end: a proxy that runs as a process of its own.
///
/// | request | does |
/// | --- | --- |
/// | `PUT /rules` | replaces the rules |
/// | `PUT /routes` | replaces the routes (egress) |
/// | `POST /cut` | cuts every open connection |
/// | `POST /stop`, `POST /resume` | stops and resumes listening (API proxy) |
/// | `GET /records` | every call so far |
#[derive(Clone, Debug)]
pub struct Remote {
    socket: PathBuf,
}

impl Remote {
    /// The proxy behind this socket. From outside a cluster's mount namespace the path begins with `/proc/PID/root`.
    pub fn new(socket: impl Into<PathBuf>) -> Self {
        Self { socket: socket.into() }
    }

    /// Replaces the rules; they are in force when this returns.
    pub async fn set_rules<Rule: Serialize>(&self, rules: &[Rule]) -> Result<(), FaultError> {
        let rules = serde_json::to_vec(rules).map_err(|cause| self.failure(&cause))?;
        self.ask(Method::PUT, "/rules", rules).await.map(drop)
    }

    /// Every call so far.
    pub async fn records<Call: DeserializeOwned>(&self) -> Result<Vec<Call>, FaultError> {
        let answer = self.ask(Method::GET, "/records", Vec::new()).await?;
        serde_json::from_slice(&answer).map_err(|cause| self.failure(&cause))
    }

    /// Gives a command that needs no body: `/cut`, `/stop`, `/resume`.
    pub async fn order(&self, path: &str) -> Result<(), FaultError> {
        self.ask(Method::POST, path, Vec::new()).await.map(drop)
    }

    async fn ask(&self, method: Method, path: &str, body: Vec<u8>) -> Result<Bytes, FaultError> {
        let stream = UnixStream::connect(&self.socket).await.map_err(|cause| self.failure(&cause))?;
        let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream))
            .await
            .map_err(|cause| self.failure(&cause))?;
        let driver = tokio::spawn(connection);
        let request = Request::builder().method(method).uri(path).header("host", "proxy");
        let request = request.body(Full::new(Bytes::from(body))).map_err(|cause| self.failure(&cause))?;
        let answer = sender.send_request(request).await.map_err(|cause| self.failure(&cause))?;
        let status = answer.status();
        let body = answer.into_body().collect().await.map_err(|cause| self.failure(&cause))?.to_bytes();
        driver.abort();
        if status.is_success() { Ok(body) } else { Err(self.failure(&String::from_utf8_lossy(&body))) }
    }

    fn failure(&self, cause: &impl ToString) -> FaultError {
        FaultError::Control { socket: self.socket.clone(), cause: cause.to_string() }
    }

    /// The socket.
    #[must_use]
    pub fn socket(&self) -> &Path {
        &self.socket
    }
}

/// A proxy that can be told what to do.
pub(super) trait Controlled {
    /// Does what `METHOD /path` says, or says in one sentence why not.
    fn obey(&self, order: &str, body: &[u8]) -> impl Future<Output = Result<Value, String>> + Send;
}

/// Answers one request on the control socket.
pub(super) async fn answer(proxy: &impl Controlled, request: Request<Incoming>) -> Response<Full<Bytes>> {
    let order = format!("{} {}", request.method(), request.uri().path());
    let body =
        request.into_body().collect().await.map(http_body_util::Collected::to_bytes).unwrap_or_default();
    let (status, text) = match proxy.obey(&order, &body).await {
        Ok(value) => (StatusCode::OK, value.to_string()),
        Err(cause) => (StatusCode::BAD_REQUEST, cause),
    };
    let mut response = Response::new(Full::new(Bytes::from(text)));
    *response.status_mut() = status;
    response
}

/// Reads the body of an order.
pub(super) fn read<Wanted: DeserializeOwned>(body: &[u8]) -> Result<Wanted, String> {
    serde_json::from_slice(body).map_err(|cause| format!("cannot be read: {cause}"))
}
