//! The API proxy as a process of its own.

use super::{ApiProxy, ApiRule, Authority};
use crate::fault::control;
use crate::fault::{FaultError, read_json};
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use std::convert::Infallible;
use std::io::Write as _;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::net::UnixListener;

/// Stands between clients and the API server; prints the address it listens on.
#[derive(Clone, Debug, clap::Args)]
pub struct ApiProxySettings {
    /// Where clients come in
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:0")]
    pub listen: SocketAddr,
    /// The API server
    #[arg(long, value_name = "HOST:PORT")]
    pub upstream: String,
    /// The certificate of the cluster's authority, PEM
    #[arg(long, value_name = "FILE")]
    pub authority: PathBuf,
    /// Its key, PEM
    #[arg(long, value_name = "FILE")]
    pub authority_key: PathBuf,
    /// A Unix socket where rules are set and records are asked for
    #[arg(long, value_name = "PATH")]
    pub control: Option<PathBuf>,
    /// The first rules, a JSON list
    #[arg(long, value_name = "FILE")]
    pub rules: Option<PathBuf>,
}

impl ApiProxySettings {
    /// Runs until the process is ended.
    pub async fn run(self) -> Result<(), FaultError> {
        let authority = Authority::from_pem(&read(&self.authority)?, &read(&self.authority_key)?)?;
        let proxy = ApiProxy::start(self.listen, &self.upstream, &authority).await?;
        if let Some(path) = &self.rules {
            proxy.set_rules(read_json::<Vec<ApiRule>>(path)?);
        }
        if let Some(socket) = &self.control {
            listen_for_orders(socket, &proxy)?;
        }
        // Who closed our standard output does not want to know.
        let _ = writeln!(std::io::stdout(), "{}", proxy.address());
        crate::lifetime::until_ended().await;
        if let Some(socket) = &self.control {
            super::super::remove_stale(socket);
        }
        Ok(())
    }
}

fn listen_for_orders(socket: &Path, proxy: &ApiProxy) -> Result<(), FaultError> {
    super::super::remove_stale(socket);
    let listener = UnixListener::bind(socket)
        .map_err(|cause| FaultError::Listen { place: socket.display().to_string(), cause })?;
    let shared = Arc::clone(&proxy.shared);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let shared = Arc::clone(&shared);
            let service = service_fn(move |request| {
                let shared = Arc::clone(&shared);
                async move { Ok::<_, Infallible>(control::answer(&shared, request).await) }
            });
            tokio::spawn(
                hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service),
            );
        }
    });
    Ok(())
}

fn read(path: &Path) -> Result<String, FaultError> {
    std::fs::read_to_string(path)
        .map_err(|cause| FaultError::File { path: path.to_owned(), cause: cause.to_string() })
}
