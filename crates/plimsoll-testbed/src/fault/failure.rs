//! Why a proxy could not do its work. A fault that was asked for is no failure.

use std::io;
use std::path::PathBuf;

/// A proxy could not be started or told what to do.
#[derive(Debug, thiserror::Error)]
pub enum FaultError {
    /// The address or socket cannot be listened on.
    #[error("cannot listen on {place}: {cause}; choose another place, or end what listens there")]
    Listen {
        /// Where.
        place: String,
        /// Why.
        cause: io::Error,
    },
    /// A file cannot be read or is not what it should be.
    #[error("{}: {cause}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: String,
    },
    /// Certificates cannot be made or used.
    #[error(
        "certificates of the API proxy: {0}; it needs the certificate and the key of the cluster's authority"
    )]
    Certificates(String),
    /// The process behind the control socket did not do what it was told.
    #[error("control socket {}: {cause}; is the proxy running?", socket.display())]
    Control {
        /// The socket.
        socket: PathBuf,
        /// Why.
        cause: String,
    },
}
