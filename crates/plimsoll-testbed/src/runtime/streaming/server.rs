//! The server that streams are opened on: one HTTP request, answered by an upgrade.

use super::spdy::Connection;
use super::{Request, attach, execution, forwarding};
use crate::runtime::node::Node;
use std::io;
use std::sync::Arc;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// The longest head of a request.
const LONGEST: u64 = 64 * 1024;

/// Serves all streams.
pub(crate) async fn serve(listener: TcpListener, node: Arc<Node>) {
    loop {
        if let Ok((stream, _)) = listener.accept().await {
            let node = Arc::clone(&node);
            // A stream that fails is its client's affair.
            tokio::spawn(async move { open(stream, &node).await });
        }
    }
}

async fn open(stream: TcpStream, node: &Arc<Node>) -> io::Result<()> {
    let (reader, mut writer) = stream.into_split();
    let mut reader = BufReader::new(reader);
    let head = head(&mut reader).await?;
    let request = node.requests.take(&head.token);
    let (Some(request), true) = (request, head.upgrade) else {
        return writer
            .write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            .await;
    };
    let wanted =
        if matches!(request, Request::Forward(_)) { "portforward.k8s.io" } else { "v4.channel.k8s.io" };
    if !head.protocols.is_empty() && !head.protocols.iter().any(|protocol| protocol == wanted) {
        let refusal = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        return writer.write_all(refusal).await;
    }
    let answer = format!(
        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\
         X-Stream-Protocol-Version: {wanted}\r\n\r\n"
    );
    writer.write_all(answer.as_bytes()).await?;
    let connection = Connection::new(reader, writer);
    match request {
        Request::Execute(request) => execution::serve(node, connection, request).await,
        Request::Attach(request) => attach::serve(node, connection, request).await,
        Request::Forward(request) => forwarding::serve(node, connection, &request.pod_sandbox_id).await,
    }
    Ok(())
}

/// What matters of a request's head.
#[derive(Debug, Default, PartialEq, Eq)]
struct Head {
    token: String,
    upgrade: bool,
    protocols: Vec<String>,
}

async fn head(reader: &mut (impl AsyncBufReadExt + Unpin)) -> io::Result<Head> {
    let mut reader = reader.take(LONGEST);
    let mut line = String::new();
    reader.read_line(&mut line).await?;
    let path = line.split(' ').nth(1).unwrap_or_default();
    let token = path.split('?').next().unwrap_or_default().trim_start_matches('/').to_owned();
    let mut head = Head { token, ..Head::default() };
    loop {
        line.clear();
        if reader.read_line(&mut line).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let Some((name, value)) = line.trim_end().split_once(':') else { return Ok(head) };
        match name.to_lowercase().as_str() {
            "upgrade" => head.upgrade = value.trim().eq_ignore_ascii_case("SPDY/3.1"),
            "x-stream-protocol-version" => {
                head.protocols.extend(value.split(',').map(|protocol| protocol.trim().to_owned()));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_head_says_which_stream_and_in_which_protocol() {
        let text = "POST /token?x=1 HTTP/1.1\r\nHost: a\r\nUpgrade: spdy/3.1\r\n\
                    X-Stream-Protocol-Version: v4.channel.k8s.io, v3.channel.k8s.io\r\n\r\nrest";
        let mut reader = text.as_bytes();
        let found = head(&mut reader).await.expect("a head");
        assert_eq!((found.token.as_str(), found.upgrade, found.protocols.len()), ("token", true, 2));
        assert_eq!(reader, b"rest", "what follows is the stream's");
        assert!(head(&mut &b"GET / HTTP/1.1\r\n"[..]).await.is_err());
    }
}
