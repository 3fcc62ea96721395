//! Streams between `kubectl` and containers: exec, attach, port-forward. The kubelet asks for an address first and then
//! leads the client's connection there. It speaks SPDY/3.1 with this server, also for clients that speak WebSocket:
//! kubelet and API server v1.36.4 translate (pkg/kubelet/server/server.go, `ExtendWebSocketsToKubelet`).

mod attach;
mod execution;
mod forwarding;
mod remote_command;
mod server;
mod spdy;

pub(crate) use forwarding::connect;
pub(crate) use server::serve;

use super::interface::{AttachRequest, ExecRequest, PortForwardRequest};
use super::node::{digest, now};
use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Mutex, PoisonError};

/// The most streams that may wait to be opened; the oldest are forgotten beyond it.
const MOST: usize = 1000;

/// A stream that the kubelet asked for.
#[derive(Debug, Clone)]
pub(crate) enum Request {
    /// A new command in a container.
    Execute(ExecRequest),
    /// A container's own program.
    Attach(AttachRequest),
    /// Ports of a pod.
    Forward(PortForwardRequest),
}

/// Streams that were asked for and not yet opened.
#[derive(Debug)]
pub(crate) struct Requests {
    address: SocketAddr,
    waiting: Mutex<HashMap<String, Request>>,
}

impl Requests {
    /// For a server at an address.
    #[must_use]
    pub(crate) fn new(address: SocketAddr) -> Self {
        Self { address, waiting: Mutex::default() }
    }

    /// Keeps a request; answers where to open it, once.
    pub(crate) fn add(&self, request: Request) -> String {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() >= MOST {
            waiting.clear();
        }
        let token = digest(&(now(), waiting.len(), std::process::id()));
        waiting.insert(token.clone(), request);
        format!("http://{}/{token}", self.address)
    }

    /// The request of an address.
    pub(crate) fn take(&self, token: &str) -> Option<Request> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).remove(token)
    }
}
