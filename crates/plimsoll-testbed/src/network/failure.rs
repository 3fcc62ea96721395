//! Why the network could not do its work.

use crate::connection::ConnectionError;
use std::io;
use std::net::SocketAddr;

/// The network could not be started.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// The kubeconfig cannot be used.
    #[error(transparent)]
    Kubeconfig(#[from] ConnectionError),
    /// The Service range cannot be made local.
    #[error(
        "ip address add {range} dev lo: {cause}; it needs iproute2 and the rights of root in the namespace"
    )]
    Range {
        /// The range.
        range: String,
        /// Why.
        cause: String,
    },
    /// An address cannot be listened on.
    #[error(
        "cannot listen on {address}: {cause}; does another program listen on this port of every address?"
    )]
    Listen {
        /// Where.
        address: SocketAddr,
        /// Why.
        cause: io::Error,
    },
    /// The API server did not take an object.
    #[error("Service kube-system/kube-dns: {0}")]
    KubeDns(#[source] Box<kube::Error>),
}
