//! Between clients and the API server: errors, overload, slowness, broken watches and restarts on demand.

mod answer;
mod authority;
mod flow;
mod forward;
mod identity;
mod line;
mod request;
mod rule;
mod settings;
#[cfg(test)]
mod tests;

pub use authority::{Authority, FRONT_PROXY};
pub use rule::{ApiCall, ApiFault, ApiRule, ApiWhen};
pub use settings::ApiProxySettings;

use super::control::{self, Controlled};
use super::cut::Cut;
use super::records::Records;
use super::rules::Rules;
use super::{FaultError, lock};
use forward::Client;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client as Upstream;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use identity::Identity;
use line::Line;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

/// A running proxy; it ends when this is dropped.
///
/// TLS ends here, with a certificate of the cluster's authority: a client uses its kubeconfig and another address
/// (`kubectl --server https://ADDRESS`), and stays known to the API server. HTTP/2 and HTTP/1.1 are spoken, answers flow
/// through as they come, and upgrades (`exec`, `port-forward`) pass. Towards the API server each request under way has a
/// connection of its own.
#[derive(Debug)]
pub struct ApiProxy {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    rules: Rules<ApiWhen, ApiFault>,
    records: Records<ApiCall>,
    cut: Cut,
    address: SocketAddr,
    upstream: String,
    acceptor: Acceptor,
    as_front_proxy: Upstream<HttpsConnector<HttpConnector>, Incoming>,
    as_nobody: Upstream<HttpsConnector<HttpConnector>, Incoming>,
    listening: Mutex<Option<JoinHandle<()>>>,
}

impl ApiProxy {
    /// Listens on an address (port 0 for any) in front of the API server at `upstream` (`127.0.0.1:6443`).
    pub async fn start(
        listen: SocketAddr,
        upstream: &str,
        authority: &Authority,
    ) -> Result<Self, FaultError> {
        let listener = bind(listen).await?;
        let address =
            listener.local_addr().map_err(|cause| FaultError::Listen { place: listen.to_string(), cause })?;
        let shared = Arc::new(Shared {
            rules: Rules::new(Vec::new()),
            records: Records::new(),
            cut: Cut::default(),
            address,
            upstream: upstream.to_owned(),
            acceptor: Acceptor(TlsAcceptor::from(Arc::new(authority.serving()?))),
            as_front_proxy: caller(authority, true)?,
            as_nobody: caller(authority, false)?,
            listening: Mutex::default(),
        });
        shared.listen(listener);
        Ok(Self { shared })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.shared.address
    }

    /// Replaces the rules. Requests that are under way keep the fault that struck them; those that are held go on.
    pub fn set_rules(&self, rules: Vec<ApiRule>) {
        self.shared.rules.replace(rules);
    }

    /// Resets every open connection.
    pub fn cut(&self) {
        self.shared.cut.all();
    }

    /// The API server dies: every connection is reset and new ones are refused, until [`ApiProxy::resume`].
    pub async fn stop(&self) {
        self.shared.stop().await;
    }

    /// It is back.
    pub async fn resume(&self) -> Result<(), FaultError> {
        self.shared.resume().await
    }

    /// It restarts and is away for so long.
    pub async fn restart(&self, away: Duration) -> Result<(), FaultError> {
        self.stop().await;
        tokio::time::sleep(away).await;
        self.resume().await
    }

    /// Every request so far.
    #[must_use]
    pub fn records(&self) -> Vec<ApiCall> {
        self.shared.records.all()
    }

    /// Waits for a request like this; nothing if none comes in time.
    pub async fn wait_for(&self, within: Duration, wanted: impl Fn(&ApiCall) -> bool) -> Option<ApiCall> {
        self.shared.records.wait_for(within, wanted).await
    }
}

impl Drop for ApiProxy {
    fn drop(&mut self) {
        if let Some(listening) = lock(&self.shared.listening).take() {
            listening.abort();
        }
        self.cut();
    }
}

impl Shared {
    fn listen(self: &Arc<Self>, listener: TcpListener) {
        let shared = Arc::clone(self);
        *lock(&self.listening) = Some(tokio::spawn(async move {
            loop {
                // An error here is a connection that is gone before it is accepted.
                if let Ok((stream, _)) = listener.accept().await {
                    tokio::spawn(serve(stream, Arc::clone(&shared)));
                }
            }
        }));
    }

    async fn stop(&self) {
        let listening = lock(&self.listening).take();
        if let Some(listening) = listening {
            listening.abort();
            // Aborted is what it should be.
            let _ = listening.await;
        }
        self.cut.all();
    }

    async fn resume(self: &Arc<Self>) -> Result<(), FaultError> {
        if lock(&self.listening).is_none() {
            let listener = bind(self.address).await?;
            self.listen(listener);
        }
        Ok(())
    }
}

/// The proxy as the control socket sees it.
impl Controlled for Arc<Shared> {
    async fn obey(&self, order: &str, body: &[u8]) -> Result<Value, String> {
        match order {
            "PUT /rules" => self.rules.replace(control::read(body)?),
            "POST /cut" => self.cut.all(),
            "POST /stop" => self.stop().await,
            "POST /resume" => self.resume().await.map_err(|cause| cause.to_string())?,
            "GET /records" => return Ok(json!(self.records.all())),
            _ => return Err(format!("{order} is not known here")),
        }
        Ok(Value::Null)
    }
}

/// One connection of a client, until it ends or is cut.
async fn serve(stream: TcpStream, shared: Arc<Shared>) {
    let connection = shared.cut.token();
    // Small frames must not wait for each other; without this they do, and nothing else changes.
    let _ = stream.set_nodelay(true);
    let talk = async {
        let line = Line::new(stream, connection.clone());
        let Ok(stream) = shared.acceptor.0.accept(line).await else { return };
        let certificates = stream.get_ref().1.peer_certificates().unwrap_or_default();
        let identity = certificates.first().and_then(Identity::of);
        let client = Client { shared: Arc::clone(&shared), identity, connection: connection.clone() };
        let service = service_fn(move |request| client.clone().answer(request));
        let server = auto::Builder::new(TokioExecutor::new());
        // A client that hangs up is the client's business.
        let _ = server.serve_connection_with_upgrades(TokioIo::new(stream), service).await;
    };
    tokio::select! {
        () = talk => {}
        () = connection.cancelled() => {}
    }
}

fn caller(
    authority: &Authority,
    as_front_proxy: bool,
) -> Result<Upstream<HttpsConnector<HttpConnector>, Incoming>, FaultError> {
    let config = authority.calling(as_front_proxy)?;
    let connector = HttpsConnectorBuilder::new().with_tls_config(config).https_only().enable_http1().build();
    Ok(Upstream::builder(TokioExecutor::new()).build(connector))
}

async fn bind(address: SocketAddr) -> Result<TcpListener, FaultError> {
    TcpListener::bind(address).await.map_err(|cause| FaultError::Listen { place: address.to_string(), cause })
}

/// The TLS end of the proxy.
struct Acceptor(TlsAcceptor);

impl std::fmt::Debug for Acceptor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Acceptor").finish()
    }
}
