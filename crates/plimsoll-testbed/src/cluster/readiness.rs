//! Is the cluster ready? Asked of the API server over TLS, with as little as it takes.

use super::certificates::Identity;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddrV4, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long one look may take.
const PATIENCE: Duration = Duration::from_secs(2);

/// Asks one API server.
#[derive(Debug)]
pub(super) struct Question {
    settings: Arc<ClientConfig>,
    server: SocketAddrV4,
}

impl Question {
    /// To the API server at this address, as this client.
    pub(super) fn new(server: SocketAddrV4, authority: &str, client: &Identity) -> io::Result<Self> {
        let mut roots = RootCertStore::empty();
        let certificate = CertificateDer::from_pem_slice(authority.as_bytes()).map_err(io::Error::other)?;
        roots.add(certificate).map_err(io::Error::other)?;
        let own = CertificateDer::from_pem_slice(client.certificate.as_bytes()).map_err(io::Error::other)?;
        let key = PrivateKeyDer::from_pem_slice(client.key.as_bytes()).map_err(io::Error::other)?;
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let settings = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(io::Error::other)?
            .with_root_certificates(roots)
            .with_client_auth_cert(vec![own], key)
            .map_err(io::Error::other)?;
        Ok(Self { settings: Arc::new(settings), server })
    }

    /// Waits until a path is answered with 200. There is no event to wait for: the server tells nobody.
    pub(super) fn until_answered(&self, path: &str, deadline: Instant) -> io::Result<()> {
        loop {
            let answer = self.ask(path, "HTTP/1.1 200");
            let cause = match answer {
                Ok(true) => return Ok(()),
                Ok(false) => "is not answered with 200".to_owned(),
                Err(cause) => cause.to_string(),
            };
            if Instant::now() > deadline {
                return Err(io::Error::other(format!("{path}: {cause}")));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until a watch on a path brings a word.
    pub(super) fn until_seen(&self, path: &str, word: &str, deadline: Instant) -> io::Result<()> {
        loop {
            match self.ask(path, word) {
                Ok(true) => return Ok(()),
                Ok(false) => {}
                // The watch brought nothing for a while: it is opened anew.
                Err(cause) if matches!(cause.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                }
                Err(cause) => return Err(cause),
            }
            if Instant::now() > deadline {
                return Err(io::Error::other(format!("{path}: {word} was not seen")));
            }
        }
    }

    /// Creates an object.
    pub(super) fn create(&self, path: &str, object: &str) -> io::Result<()> {
        let mut stream = self.connect()?;
        let head = format!("POST {path} HTTP/1.0\r\nHost: kubernetes\r\nContent-Type: application/json\r\n");
        write!(stream, "{head}Content-Length: {}\r\n\r\n{object}", object.len())?;
        let mut answer = Vec::new();
        // A server that ends the connection in haste has answered before.
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer);
        if answer.lines().next().is_some_and(|status| status.contains(" 201 ")) {
            return Ok(());
        }
        Err(io::Error::other(format!("{path}: {answer}")))
    }

    /// Whether the answer holds a word.
    fn ask(&self, path: &str, word: &str) -> io::Result<bool> {
        let mut stream = self.connect()?;
        write!(stream, "GET {path} HTTP/1.1\r\nHost: kubernetes\r\nConnection: close\r\n\r\n")?;
        let mut answer = Vec::new();
        let mut part = [0; 4096];
        loop {
            let length = stream.read(&mut part)?;
            if length == 0 {
                return Ok(false);
            }
            answer.extend(part.iter().take(length));
            if String::from_utf8_lossy(&answer).contains(word) {
                return Ok(true);
            }
        }
    }

    fn connect(&self) -> io::Result<StreamOwned<ClientConnection, TcpStream>> {
        let stream = TcpStream::connect(self.server)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let name = ServerName::from(std::net::IpAddr::from(*self.server.ip()));
        let connection = ClientConnection::new(Arc::clone(&self.settings), name).map_err(io::Error::other)?;
        Ok(StreamOwned::new(connection, stream))
    }
}
