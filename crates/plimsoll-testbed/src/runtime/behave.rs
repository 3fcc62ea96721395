//! The built-in program of containers that only behave.

mod certificate;
mod listener;

use super::table::{Behaviour, Deed, Ports};
use std::collections::BTreeSet;
use std::future::pending;
use std::net::{Ipv6Addr, SocketAddr};
use std::process::ExitCode;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::sleep;

/// What the program is told.
#[derive(Debug, Clone, clap::Args)]
pub struct Options {
    /// The number of this start of the container, from 0.
    #[arg(long, default_value_t = 0)]
    pub attempt: u32,
    /// A port of the container; may be given several times.
    #[arg(long = "port")]
    pub ports: Vec<u16>,
    /// The behaviour, as in an image table.
    #[arg(value_parser = |text: &str| Behaviour::try_from(text.to_owned()))]
    pub behaviour: Behaviour,
}

/// Behaves until it is asked to end, or has ended by itself.
pub async fn behave(options: Options) -> std::io::Result<ExitCode> {
    let mut end = signal(SignalKind::terminate())?;
    let stops_after = options.behaviour.stops_after;
    tokio::select! {
        code = perform(options) => code,
        _ = end.recv() => {
            sleep(stops_after).await;
            Ok(ExitCode::SUCCESS)
        }
    }
}

async fn perform(options: Options) -> std::io::Result<ExitCode> {
    match options.behaviour.deed(options.attempt) {
        Deed::Sleeps | Deed::NeverReady => pending().await,
        Deed::Exits { code, after } => {
            sleep(after).await;
            Ok(ExitCode::from(code))
        }
        Deed::Listens { on, after } => {
            sleep(after).await;
            listen(on, &options.ports, after).await
        }
    }
}

async fn listen(on: Ports, declared: &[u16], after: Duration) -> std::io::Result<ExitCode> {
    let own = declared.iter().copied().filter(|_| on.its_own);
    let ports: BTreeSet<u16> = own.chain(on.named).collect();
    let tls = certificate::acceptor()?;
    for port in &ports {
        let address = SocketAddr::from((Ipv6Addr::UNSPECIFIED, *port));
        let listener = match TcpListener::bind(address).await {
            Ok(listener) => listener,
            // A machine without IPv6.
            Err(_) => TcpListener::bind(("0.0.0.0", *port))
                .await
                .map_err(|error| std::io::Error::new(error.kind(), format!("listen tcp :{port}: {error}")))?,
        };
        tokio::spawn(listener::serve(listener, tls.clone()));
    }
    say(&format!("listening on {ports:?}, {after:?} after the start"));
    pending().await
}

/// One line of the container's log.
#[expect(clippy::print_stdout, reason = "a container's log is its standard output")]
fn say(text: &str) {
    println!("{text}");
}
