//! A container runtime behind the kubelet's socket that needs no images: a table says which program of this machine
//! stands for an image, or how a container without one behaves. Containers are processes in the pod's network namespace
//! and in mount and process namespaces of their own, over a copy-on-write view of the machine.

mod addresses;
pub mod behave;
mod command;
mod container;
mod error;
mod execute;
mod image_service;
mod images;
pub mod inside;
mod interface;
mod log;
mod machine;
mod network;
mod node;
mod pod;
mod ports;
mod probed;
mod selection;
mod service;
mod start;
mod stats;
mod stop_signal;
mod streaming;
pub mod table;
mod terminal;

pub use addresses::Range;
pub use command::RuntimeCommand;
pub use error::RuntimeError;
pub use node::Options;

use interface::image_service_server::ImageServiceServer;
use interface::runtime_service_server::RuntimeServiceServer;
use node::Node;
use std::path::Path;
use std::sync::Arc;
use streaming::Requests;
use tokio::net::{TcpListener, UnixListener};
use tokio_stream::wrappers::UnixListenerStream;

/// Connects standard input and output with a port of a pod's loopback; for port-forwarding.
pub fn connect(port: u16, namespace: Option<&Path>) -> std::io::Result<()> {
    streaming::connect(port, namespace)
}

/// Serves one node's kubelet until the process ends. Its containers end with it.
pub async fn serve(options: Options) -> Result<(), RuntimeError> {
    let streams = TcpListener::bind("127.0.0.1:0")
        .await
        .map_err(RuntimeError::at("listen for streams on 127.0.0.1"))?;
    let address = streams.local_addr().map_err(RuntimeError::at("listen for streams on 127.0.0.1"))?;
    let socket = options.socket.clone();
    let node = Arc::new(Node::new(options, Requests::new(address)).await?);
    tokio::spawn(streaming::serve(streams, Arc::clone(&node)));
    // One that an earlier life of the node has left.
    let _ = std::fs::remove_file(&socket);
    let listener =
        UnixListener::bind(&socket).map_err(RuntimeError::at(format!("listen on {}", socket.display())))?;
    tonic::transport::Server::builder()
        .add_service(RuntimeServiceServer::new(service::Runtime(Arc::clone(&node))))
        .add_service(ImageServiceServer::new(image_service::Images(node)))
        .serve_with_incoming(UnixListenerStream::new(listener))
        .await
        .map_err(|error| RuntimeError::at("serve the kubelet")(std::io::Error::other(error)))
}
