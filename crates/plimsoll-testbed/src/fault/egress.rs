//! The way of the API server's calls to webhooks and aggregated APIs: a `CONNECT` proxy on a Unix socket.

mod rule;
mod settings;
#[cfg(test)]
mod tests;
mod tunnel;

pub use rule::{EgressCall, EgressFault, EgressOutcome, EgressRule, EgressWhen};
pub use settings::EgressSettings;

use super::control::{self, Controlled};
use super::cut::Cut;
use super::records::Records;
use super::rules::Rules;
use super::{FaultError, lock, remove_stale};
use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Method, Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::net::{UnixListener, UnixStream};
use tokio::task::AbortHandle;

/// A running proxy; it ends when this is dropped.
///
/// The API server is started with `--enable-aggregator-routing`, so that it calls endpoints and not cluster addresses,
/// and with `--egress-selector-config-file` (selection `cluster`, `HTTPConnect` over `uds`). Each new connection of it
/// arrives here as `CONNECT 10.244.0.5:10250`. It goes to the local address that a *route* gives for it, or, where there
/// is a pod network, to the pod itself. Inside is TLS: a call is a connection here, and one connection may carry many
/// requests. New rules therefore end the connections that are open, so that the next request meets them.
///
/// The same selection carries the API server's calls to kubelets (`logs`, `exec`), so that a cluster with nodes needs
/// the proxy inside its network (`--pod-network`). A webhook by URL belongs to the selection `controlplane` and is not
/// led here (`pkg/util/webhook/authentication.go` of k8s.io/apiserver v0.36.4).
#[derive(Debug)]
pub struct Egress {
    shared: Arc<Shared>,
    socket: PathBuf,
    listening: AbortHandle,
}

/// Pod addresses and the local addresses that stand for them.
pub type Routes = BTreeMap<SocketAddr, SocketAddr>;

#[derive(Debug)]
struct Shared {
    rules: Rules<EgressWhen, EgressFault>,
    routes: Mutex<Routes>,
    has_pod_network: bool,
    records: Records<EgressCall>,
    cut: Cut,
}

impl Egress {
    /// Listens on a socket. `has_pod_network` says whether an address without a route can be dialled as it is.
    pub fn start(socket: impl Into<PathBuf>, has_pod_network: bool) -> Result<Self, FaultError> {
        let socket = socket.into();
        remove_stale(&socket);
        let listener = UnixListener::bind(&socket)
            .map_err(|cause| FaultError::Listen { place: socket.display().to_string(), cause })?;
        let shared = Arc::new(Shared {
            rules: Rules::new(Vec::new()),
            routes: Mutex::default(),
            has_pod_network,
            records: Records::new(),
            cut: Cut::default(),
        });
        let listening = tokio::spawn(accept(listener, Arc::clone(&shared))).abort_handle();
        Ok(Self { shared, socket, listening })
    }

    /// Replaces the rules and cuts what is open.
    pub fn set_rules(&self, rules: Vec<EgressRule>) {
        self.shared.set_rules(rules);
    }

    /// Replaces the routes. Pod addresses are used again: a stale route misleads in silence.
    pub fn set_routes(&self, routes: Routes) {
        *lock(&self.shared.routes) = routes;
    }

    /// Cuts every open connection.
    pub fn cut(&self) {
        self.shared.cut.all();
    }

    /// Every call so far.
    #[must_use]
    pub fn records(&self) -> Vec<EgressCall> {
        self.shared.records.all()
    }

    /// Waits for a call like this; nothing if none comes in time.
    pub async fn wait_for(
        &self,
        within: Duration,
        wanted: impl Fn(&EgressCall) -> bool,
    ) -> Option<EgressCall> {
        self.shared.records.wait_for(within, wanted).await
    }

    /// The socket that the API server is told of.
    #[must_use]
    pub fn socket(&self) -> &Path {
        &self.socket
    }
}

impl Drop for Egress {
    fn drop(&mut self) {
        self.listening.abort();
        self.cut();
        remove_stale(&self.socket);
    }
}

impl Shared {
    fn set_rules(&self, rules: Vec<EgressRule>) {
        self.rules.replace(rules);
        self.cut.all();
    }
}

impl Controlled for Shared {
    async fn obey(&self, order: &str, body: &[u8]) -> Result<Value, String> {
        match order {
            "PUT /rules" => self.set_rules(control::read(body)?),
            "PUT /routes" => *lock(&self.routes) = control::read(body)?,
            "POST /cut" => self.cut.all(),
            "GET /records" => return Ok(json!(self.records.all())),
            _ => return Err(format!("{order} is not known here")),
        }
        Ok(Value::Null)
    }
}

async fn accept(listener: UnixListener, shared: Arc<Shared>) {
    while let Ok((stream, _)) = listener.accept().await {
        tokio::spawn(serve(stream, Arc::clone(&shared)));
    }
}

async fn serve(stream: UnixStream, shared: Arc<Shared>) {
    let service = service_fn(|request| answer(Arc::clone(&shared), request));
    let server = hyper::server::conn::http1::Builder::new();
    let connection = server.serve_connection(TokioIo::new(stream), service).with_upgrades();
    // A peer that hangs up is the peer's business.
    let _ = connection.await;
}

async fn answer(
    shared: Arc<Shared>,
    request: Request<Incoming>,
) -> Result<Response<Full<Bytes>>, Infallible> {
    if request.method() == Method::CONNECT {
        Ok(tunnel::open(shared, request).await)
    } else {
        Ok(control::answer(&*shared, request).await)
    }
}
