//! Faults on demand, between real programs: refused, slow, broken and lost connections, errors and overload.
//!
//! [`egress`] stands between the API server and what it calls (webhooks, aggregated APIs); [`api_proxy`] between clients
//! and the API server. Each runs inside a test on tokio, with a handle that changes its rules, or as a process
//! (`plimsoll-testbed egress`, `plimsoll-testbed api-proxy`) that a [`Remote`] changes. Both record every call.

pub mod api_proxy;
mod control;
mod cut;
pub mod egress;
mod failure;
mod milliseconds;
mod records;
mod rules;
pub mod transport;

pub use control::Remote;
pub use failure::FaultError;
pub use rules::Rule;

use serde::de::DeserializeOwned;
use std::os::unix::fs::FileTypeExt as _;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A lock whose holder panicked still guards whole values here: each change is one assignment.
fn lock<Value>(mutex: &Mutex<Value>) -> MutexGuard<'_, Value> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn read_json<Wanted: DeserializeOwned>(path: &Path) -> Result<Wanted, FaultError> {
    let failure = |cause: String| FaultError::File { path: path.to_owned(), cause };
    let text = std::fs::read(path).map_err(|cause| failure(cause.to_string()))?;
    serde_json::from_slice(&text).map_err(|cause| failure(cause.to_string()))
}

/// Removes a socket that nobody cleaned up; never another kind of file.
fn remove_stale(socket: &Path) {
    let is_socket = std::fs::symlink_metadata(socket).is_ok_and(|data| data.file_type().is_socket());
    if is_socket {
        // A socket that cannot be removed is told by the bind that follows.
        let _ = std::fs::remove_file(socket);
    }
}
