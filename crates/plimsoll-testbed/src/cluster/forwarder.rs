//! Leads connections that arrive outside the cluster's network to the API server inside it.

use std::io;
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::thread;

/// Accepts for ever. A connection that cannot be led on is closed, as a server that is down would do it.
pub(super) fn forward(listener: &TcpListener, to: SocketAddr) {
    for outside in listener.incoming().flatten() {
        thread::spawn(move || {
            if let Ok(inside) = TcpStream::connect(to) {
                // The peers learn of a broken connection by its end; there is nobody else to tell.
                let _ = join(&outside, &inside);
            }
        });
    }
}

fn join(outside: &TcpStream, inside: &TcpStream) -> io::Result<()> {
    for stream in [outside, inside] {
        // Requests are small, and each waits for its answer.
        stream.set_nodelay(true)?;
    }
    let (from, to) = (inside.try_clone()?, outside.try_clone()?);
    let back = thread::spawn(move || copy(&from, &to));
    copy(outside, inside);
    // The thread cannot fail: copying ends when either side does.
    let _ = back.join();
    Ok(())
}

fn copy(mut from: &TcpStream, mut to: &TcpStream) {
    let _ = io::copy(&mut from, &mut to);
    let _ = to.shutdown(Shutdown::Write);
    let _ = from.shutdown(Shutdown::Read);
}
