//! The little that is asked of etcd directly, over its JSON gateway.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};

/// One etcd.
#[derive(Debug)]
pub(super) struct Etcd {
    address: SocketAddr,
}

impl Etcd {
    /// The one that listens here.
    pub(super) fn at(address: SocketAddr) -> Self {
        Self { address }
    }

    /// The number of the last change.
    pub(super) fn revision(&self) -> io::Result<i64> {
        let answer =
            self.ask("/v3/kv/range", &json!({"key": Self::encode("/registry/"), "count_only": true}))?;
        let revision =
            answer.pointer("/header/revision").and_then(Value::as_str).and_then(|text| text.parse().ok());
        revision.ok_or_else(|| io::Error::other(format!("etcd tells no revision: {answer}")))
    }

    /// One question. In the manner of HTTP 1.0 the answer ends with the connection.
    pub(super) fn ask(&self, path: &str, question: &Value) -> io::Result<Value> {
        let mut stream = TcpStream::connect(self.address)?;
        let body = question.to_string();
        write!(stream, "POST {path} HTTP/1.0\r\nContent-Length: {}\r\n\r\n{body}", body.len())?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_default();
        if !head.lines().next().is_some_and(|status| status.contains(" 200 ")) {
            return Err(io::Error::other(format!("etcd {path}: {answer}")));
        }
        Ok(serde_json::from_str(body)?)
    }

    /// A key as JSON carries it.
    pub(super) fn encode(key: &str) -> String {
        STANDARD.encode(key)
    }

    /// A key from how JSON carries it.
    pub(super) fn decode(text: &str) -> io::Result<String> {
        let bytes = STANDARD.decode(text).map_err(io::Error::other)?;
        String::from_utf8(bytes).map_err(io::Error::other)
    }
}
