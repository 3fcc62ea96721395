//! The streams of one remote command, protocol `v4.channel.k8s.io`, and the status at its end.

use super::spdy::{Connection, Stream};
use serde_json::{Value, json};
use std::io;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::time::timeout;

use super::spdy::StreamSender;

/// How long a client may take to open its streams.
const PATIENCE: Duration = Duration::from_secs(30);

/// The streams of a remote command.
#[derive(Debug, Default)]
pub(super) struct Channels {
    pub(super) stdin: Option<Stream>,
    pub(super) stdout: Option<StreamSender>,
    pub(super) stderr: Option<StreamSender>,
    pub(super) resize: Option<Stream>,
    error: Option<StreamSender>,
}

impl Channels {
    /// Waits for the streams that the client said it would open, and the one for errors; nothing if it does not.
    pub(super) async fn open(connection: &mut Connection, expected: &[bool]) -> Option<Self> {
        let count = 1 + expected.iter().filter(|wanted| **wanted).count();
        let mut channels = Self::default();
        for _ in 0..count {
            let stream = timeout(PATIENCE, connection.next()).await.ok()??;
            match stream.headers.get("streamtype") {
                "stdin" => channels.stdin = Some(stream),
                "stdout" => channels.stdout = Some(stream.sender),
                "stderr" => channels.stderr = Some(stream.sender),
                "resize" => channels.resize = Some(stream),
                _ => channels.error = Some(stream.sender),
            }
        }
        Some(channels)
    }

    /// Says how it ended, and ends all streams.
    pub(super) async fn close(self, status: &Value) {
        if let Some(error) = &self.error {
            // A client that is gone needs no status.
            let _ = error.send(status.to_string().as_bytes()).await;
        }
        let stdin = self.stdin.map(|stream| stream.sender);
        let resize = self.resize.map(|stream| stream.sender);
        for sender in [self.stdout, self.stderr, self.error, stdin, resize].into_iter().flatten() {
            sender.finish().await;
        }
    }
}

/// Copies an output into a stream, to its end.
pub(super) async fn copy(from: Option<impl AsyncRead + Unpin>, to: Option<StreamSender>) -> io::Result<()> {
    let Some(mut from) = from else { return Ok(()) };
    let mut piece = vec![0; 32 * 1024];
    loop {
        // A terminal whose program has ended gives an error instead of an end.
        let read = from.read(&mut piece).await.unwrap_or(0);
        let fresh = piece.get(..read).unwrap_or_default();
        if fresh.is_empty() {
            return Ok(());
        }
        if let Some(to) = &to {
            to.send(fresh).await?;
        }
    }
}

/// The size in a message such as `{"Width":80,"Height":24}`: columns and rows.
pub(super) fn size(message: &[u8]) -> Option<(u16, u16)> {
    let value: Value = serde_json::from_slice(message).ok()?;
    let part = |name: &str| value.get(name)?.as_u64().and_then(|number| u16::try_from(number).ok());
    Some((part("Width")?, part("Height")?))
}

/// The status of a command that ended.
pub(super) fn ended(code: i32) -> Value {
    if code == 0 {
        return json!({"metadata": {}, "status": "Success"});
    }
    json!({
        "metadata": {},
        "status": "Failure",
        "reason": "NonZeroExitCode",
        "message": format!("command terminated with non-zero exit code: exit status {code}"),
        "details": {"causes": [{"reason": "ExitCode", "message": code.to_string()}]},
    })
}

/// The status of a command that could not be run.
pub(super) fn failed(reason: &str) -> Value {
    let message = format!("error executing command in container: {reason}");
    let details = json!({"causes": [{"message": message}]});
    json!({
        "metadata": {},
        "status": "Failure",
        "reason": "InternalError",
        "message": message,
        "details": details,
        "code": 500,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_carries_the_exit_code() {
        assert_eq!(ended(0)["status"], "Success");
        assert_eq!(ended(3)["details"]["causes"][0]["message"], "3");
    }

    #[test]
    fn sizes_are_read() {
        assert_eq!(size(br#"{"Width":80,"Height":24}"#), Some((80, 24)));
        assert_eq!(size(b"{}"), None);
    }
}
