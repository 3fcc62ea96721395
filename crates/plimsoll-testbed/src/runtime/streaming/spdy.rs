//! SPDY/3.1 as far as Kubernetes uses it: streams that the client opens, data both ways, no flow control.

mod frame;
mod headers;

pub(crate) use headers::Headers;

use frame::{Frame, read_frame};
use headers::{Compressor, Decompressor};
use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::sync::{Mutex, mpsc};

/// The largest data frame that is sent.
const LARGEST: usize = 32 * 1024;

/// A connection: the streams that the client opens.
#[derive(Debug)]
pub(crate) struct Connection {
    incoming: mpsc::UnboundedReceiver<Stream>,
}

/// One stream. What is sent to it before it ends can be received in order.
#[derive(Debug)]
pub(crate) struct Stream {
    /// What the client says it is for.
    pub(crate) headers: Headers,
    /// What the client sends; it ends with the stream or the connection.
    pub(crate) data: mpsc::UnboundedReceiver<Vec<u8>>,
    /// What is sent to the client.
    pub(crate) sender: StreamSender,
}

/// The sending half of a stream.
#[derive(Debug, Clone)]
pub(crate) struct StreamSender {
    id: u32,
    output: Arc<Mutex<Output>>,
}

struct Output {
    writer: Box<dyn AsyncWrite + Send + Unpin>,
    compressor: Compressor,
}

impl std::fmt::Debug for Output {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Output")
    }
}

impl Output {
    async fn write(&mut self, frame: &Frame) -> io::Result<()> {
        self.writer.write_all(&frame.bytes()).await?;
        self.writer.flush().await
    }
}

impl Connection {
    /// Speaks over a connection that was upgraded.
    pub(crate) fn new(
        reader: impl AsyncRead + Send + Unpin + 'static,
        writer: impl AsyncWrite + Send + Unpin + 'static,
    ) -> Self {
        let (opened, incoming) = mpsc::unbounded_channel();
        let output = Output { writer: Box::new(writer), compressor: Compressor::default() };
        tokio::spawn(listen(reader, Arc::new(Mutex::new(output)), opened));
        Self { incoming }
    }

    /// The next stream that the client opens; nothing at the end of the connection.
    pub(crate) async fn next(&mut self) -> Option<Stream> {
        self.incoming.recv().await
    }
}

impl StreamSender {
    /// Sends bytes.
    pub(crate) async fn send(&self, bytes: &[u8]) -> io::Result<()> {
        for piece in bytes.chunks(LARGEST) {
            let frame = Frame::Data { stream: self.id, last: false, bytes: piece.to_vec() };
            self.output.lock().await.write(&frame).await?;
        }
        Ok(())
    }

    /// Says that nothing more will come.
    pub(crate) async fn finish(&self) {
        // A client that is gone needs no end.
        let _ = self
            .output
            .lock()
            .await
            .write(&Frame::Data { stream: self.id, last: true, bytes: Vec::new() })
            .await;
    }
}

/// Reads frames until the connection ends, and hands each to its stream.
async fn listen(
    mut reader: impl AsyncRead + Unpin,
    output: Arc<Mutex<Output>>,
    opened: mpsc::UnboundedSender<Stream>,
) {
    let mut streams: HashMap<u32, mpsc::UnboundedSender<Vec<u8>>> = HashMap::new();
    let mut decompressor = Decompressor::default();
    while let Ok(frame) = read_frame(&mut reader).await {
        match frame {
            Frame::Open { stream: id, last, block } => {
                let Ok(headers) = decompressor.read(&block) else { break };
                let (sender, data) = mpsc::unbounded_channel();
                if !last {
                    streams.insert(id, sender);
                }
                if reply(&output, id).await.is_err() {
                    break;
                }
                let sender = StreamSender { id, output: Arc::clone(&output) };
                // Nobody may be waiting for further streams.
                let _ = opened.send(Stream { headers, data, sender });
            }
            Frame::Data { stream, last, bytes } => {
                if let Some(sender) = streams.get(&stream) {
                    let _ = sender.send(bytes);
                }
                if last {
                    streams.remove(&stream);
                }
            }
            Frame::Reset { stream } => {
                streams.remove(&stream);
            }
            Frame::Ping { id } => {
                if output.lock().await.write(&Frame::Ping { id }).await.is_err() {
                    break;
                }
            }
            Frame::GoAway => break,
            Frame::Reply { .. } | Frame::Other => {}
        }
    }
}

async fn reply(output: &Mutex<Output>, stream: u32) -> io::Result<()> {
    let mut output = output.lock().await;
    let block = output.compressor.write(&Headers::default())?;
    output.write(&Frame::Reply { stream, block }).await
}
