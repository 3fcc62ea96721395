//! What stands behind webhooks and aggregated APIs on a page: a server that admits everything, marks what it may change,
//! converts by changing the version, and serves a kind that it does not keep.
//!
//! One connection a thread, one HTTP/1.1 request after the other: the API server needs no more.

mod answers;

use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::io::{self, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

/// The variables that hold the certificate and the key, in PEM: a container sees no temporary folder of this machine.
pub(super) const CERTIFICATE: &str = "BACKEND_CERTIFICATE";
/// See [`CERTIFICATE`].
pub(super) const KEY: &str = "BACKEND_KEY";

/// Serves for ever on a port of every address.
pub fn serve(port: u16) -> io::Result<()> {
    let variable = |name: &str| {
        std::env::var(name).map_err(|cause| io::Error::other(format!("variable {name}: {cause}")))
    };
    let (certificate, key) = (variable(CERTIFICATE)?, variable(KEY)?);
    let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(certificate.as_bytes()).collect();
    let key = PrivateKeyDer::from_pem_slice(key.as_bytes()).map_err(io::Error::other)?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(chain.unwrap_or_default(), key))
        .map_err(io::Error::other)?;
    let config = Arc::new(config);
    for stream in TcpListener::bind(("0.0.0.0", port))?.incoming().flatten() {
        let config = Arc::clone(&config);
        // A peer that goes away in the middle of a request has nobody to tell.
        std::thread::spawn(move || drop(talk(config, stream)));
    }
    Ok(())
}

fn talk(config: Arc<ServerConfig>, stream: TcpStream) -> io::Result<()> {
    let connection = ServerConnection::new(config).map_err(io::Error::other)?;
    let mut reader = BufReader::new(StreamOwned::new(connection, stream));
    while let Some((method, path, body)) = request(&mut reader)? {
        let (status, answer) = answers::answer(&method, &path, &body);
        let answer = answer.to_string();
        let stream = reader.get_mut();
        write!(
            stream,
            "HTTP/1.1 {status} answer\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{answer}",
            answer.len()
        )?;
        stream.flush()?;
    }
    Ok(())
}

/// Reads one request: method, path, body. Nothing if the peer has ended.
fn request(reader: &mut impl io::BufRead) -> io::Result<Option<(String, String, Vec<u8>)>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace().map(str::to_owned);
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let mut length = 0;
    loop {
        let mut header = String::new();
        reader.read_line(&mut header)?;
        let header = header.trim_end().to_ascii_lowercase();
        if let Some(value) = header.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or(0);
        }
        if header.is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok(Some((method, path, body)))
}
