//! The process that holds a cluster together: process 1 of its namespaces. When it ends, for whatever reason, the
//! kernel ends the rest. Its standard input is the listening socket of the forwarder, its standard output the line to
//! the caller; when that line breaks, the caller is gone and the cluster goes too.

use super::children::Children;
use super::control_plane;
use super::forwarder;
use super::messages::{Order, Report, Wish};
use super::options::Isolation;
use super::room::Room;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;

/// Runs as the supervisor until the caller is gone or the cluster is told to end.
#[must_use]
pub fn supervise(_name: &str) -> ExitCode {
    match begin() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // The caller keeps what is said here and shows it if nothing else explains the end.
            let _ = writeln!(io::stderr(), "{failure}");
            ExitCode::FAILURE
        }
    }
}

fn begin() -> io::Result<()> {
    let listener = TcpListener::from(io::stdin().as_fd().try_clone_to_owned()?);
    let line = UnixStream::from(io::stdout().as_fd().try_clone_to_owned()?);
    let mut caller = BufReader::new(line.try_clone()?);
    let mut first = String::new();
    caller.read_line(&mut first)?;
    let order: Order = serde_json::from_str(&first)?;
    // The process table that is mounted now is the caller's: it knows this process by the caller's number.
    let supervisor = std::fs::read_link("/proc/self")?.to_string_lossy().parse().map_err(io::Error::other)?;
    let room = Arc::new(Room::make(order.isolation)?);
    let children = Children::default();
    watch(caller, Arc::clone(&room), children.clone());
    report(&line, &Report::Alive { supervisor, folder: room.folder.clone() })?;
    let reaper = children.clone();
    thread::spawn(move || reaper.reap());
    let server = SocketAddr::from((Ipv4Addr::LOCALHOST, room.api_port));
    thread::spawn(move || forwarder::forward(&listener, server));
    let progress = &mut |text: &str| {
        // A caller that does not read any more is noticed by the watch.
        let _ = report(&line, &Report::Progress(text.to_owned()));
    };
    if let Err(failure) = control_plane::start(&room, &order, &children, progress) {
        let _ = report(&line, &Report::Failed(explain(&room, &children, &failure)));
        leave(&room, &children, 1);
    }
    report(&line, &Report::Ready)?;
    loop {
        thread::park();
    }
}

/// Ends everything when the caller's line breaks, unless it asked to be outlived.
fn watch(caller: BufReader<UnixStream>, room: Arc<Room>, children: Children) {
    thread::spawn(move || {
        let mut is_detached = false;
        for line in caller.lines().map_while(Result::ok) {
            is_detached |= matches!(serde_json::from_str(&line), Ok(Wish::Detach));
        }
        if !is_detached {
            leave(&room, &children, 0);
        }
    });
}

/// Ends this process and with it the cluster.
fn leave(room: &Room, children: &Children, code: i32) -> ! {
    if room.isolation == Isolation::Plain {
        children.end_all();
        room.clear();
    }
    std::process::exit(code)
}

fn report(mut line: &UnixStream, report: &Report) -> io::Result<()> {
    let mut text = serde_json::to_vec(report)?;
    text.push(b'\n');
    line.write_all(&text)
}

/// The failure, and the last lines of whichever program is down.
fn explain(room: &Room, children: &Children, failure: &io::Error) -> String {
    let mut text = failure.to_string();
    for name in ["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler"] {
        let log = std::fs::read_to_string(room.log(name)).unwrap_or_default();
        if children.how_ended(name).is_none() && !text.starts_with(name) {
            continue;
        }
        text.push_str(&["\nlast lines of ", name, ":"].concat());
        let count = log.lines().count();
        for line in log.lines().skip(count.saturating_sub(5)) {
            text.push_str("\n  ");
            text.push_str(line);
        }
    }
    text
}
