//! The built-in program of containers that only behave.

mod answer;
mod certificate;
mod listener;

pub use certificate::Trust;

use super::table::{Behaviour, Deed, Ports};
use std::collections::BTreeSet;
use std::future::pending;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
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
    /// The only address to listen on, besides loopback; all of them without it.
    #[arg(long)]
    pub address: Option<IpAddr>,
    /// What it proves itself with.
    #[command(flatten)]
    pub trust: Trust,
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
        Deed::Listens { on, after, .. } => {
            sleep(after).await;
            listen(on, options, after).await
        }
    }
}

async fn listen(on: Ports, options: Options, after: Duration) -> std::io::Result<ExitCode> {
    let own = options.ports.into_iter().filter(|_| on.its_own);
    let ports: BTreeSet<u16> = own.chain(on.named).collect();
    let tls = certificate::acceptor(options.trust)?;
    for port in &ports {
        for listener in bound(options.address, *port).await? {
            tokio::spawn(listener::serve(listener, tls.clone()));
        }
    }
    say(&format!("listening on {ports:?}, {after:?} after the start"));
    pending().await
}

/// Listens on a port of an address and of loopback, or of all addresses.
async fn bound(address: Option<IpAddr>, port: u16) -> std::io::Result<Vec<TcpListener>> {
    let named = |error: std::io::Error| {
        std::io::Error::new(error.kind(), format!("listen tcp :{port}: bind: {error}"))
    };
    let Some(address) = address else {
        let listener = match TcpListener::bind((Ipv6Addr::UNSPECIFIED, port)).await {
            Ok(listener) => listener,
            // A machine without IPv6.
            Err(_) => TcpListener::bind((Ipv4Addr::UNSPECIFIED, port)).await.map_err(named)?,
        };
        return Ok(vec![listener]);
    };
    let own = TcpListener::bind((address, port)).await.map_err(named)?;
    // All nodes have one loopback; there the first that comes answers for all.
    let shared = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.ok();
    Ok([Some(own), shared].into_iter().flatten().collect())
}

/// One line of the container's log.
#[expect(clippy::print_stdout, reason = "a container's log is its standard output")]
fn say(text: &str) {
    println!("{text}");
}
