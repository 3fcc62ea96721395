//! The two moments of a process that serves: it is ready, and it is told to end.

use std::io;
use std::os::unix::net::UnixDatagram;
use tokio::signal::unix::{SignalKind, signal};

/// Tells whoever started this process that it is ready, in the way that services tell their manager (`sd_notify`).
pub(crate) fn tell_ready() -> io::Result<()> {
    let Some(path) = std::env::var_os("NOTIFY_SOCKET") else { return Ok(()) };
    UnixDatagram::unbound()?.send_to(b"READY=1", path).map(drop)
}

/// Tells that it is ready, then waits for SIGTERM or SIGINT.
pub(crate) async fn until_ended() {
    // Who does not listen for it does not need it.
    let _ = tell_ready();
    let (Ok(mut terminate), Ok(mut interrupt)) =
        (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
    else {
        // Without handlers the signals end the process by themselves.
        return std::future::pending().await;
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
}
