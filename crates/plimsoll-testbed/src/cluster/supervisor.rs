//! The process that holds a cluster together: process 1 of its namespaces. When it ends, for whatever reason, the
//! kernel ends the rest. Its standard input is the listening socket of the forwarder, its standard output the line to
//! the caller; when that line breaks, the caller is gone and the cluster goes too.

use super::control_plane::{self, ControlPlane};
use super::etcd::Etcd;
use super::forwarder;
use super::messages::{Order, Report, Wish};
use super::nodes;
use super::options::Isolation;
use super::room::Room;
use super::services;
use crate::processes::{Children, Control, State};
use crate::workplace;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;

/// The file that says that a cluster outlives the process that started it.
pub(super) const DETACHED: &str = "detached";

/// The file that says how far etcd was when the cluster was ready.
pub(super) const BEGINNING: &str = "beginning";

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
    let room = Arc::new(Room::make(order.isolation, order.options.nodes)?);
    let children = Children::new(&room.folder, order.isolation != Isolation::Plain)?;
    // Whoever knows the process finds the folder by it.
    std::env::set_current_dir(&room.folder)?;
    watch(caller, line.try_clone()?, Arc::clone(&room), children.clone());
    report(&line, &Report::Alive { supervisor, folder: room.folder.clone() })?;
    let reaper = children.clone();
    thread::spawn(move || reaper.reap());
    let server = SocketAddr::from(room.api_server);
    thread::spawn(move || forwarder::forward(&listener, server));
    let progress = &mut |text: &str| {
        // A caller that does not read any more is noticed by the watch.
        let _ = report(&line, &Report::Progress(text.to_owned()));
    };
    let control = Control::bind(&room.folder)?;
    let control_plane = match start(&room, &order, &children, progress) {
        Ok(control_plane) => control_plane,
        Err(failure) => {
            let _ = report(&line, &Report::Failed(explain(&children, &failure)));
            leave(&room, &children, 1)
        }
    };
    report(&line, &Report::Ready)?;
    control.serve(&children, &|name| control_plane.settle(name));
    Ok(())
}

fn start(
    room: &Room,
    order: &Order,
    children: &Children,
    progress: &mut dyn FnMut(&str),
) -> io::Result<ControlPlane> {
    let control_plane = control_plane::start(room, order, children, progress)?;
    nodes::start(room, order, children, &control_plane)?;
    services::start(room, order, children, &control_plane)?;
    let etcd = SocketAddr::from((Ipv4Addr::LOCALHOST, room.etcd_port));
    let revision = Etcd::at(etcd).revision()?;
    room.write(BEGINNING, &format!("--etcd={etcd} --revision={revision}"))?;
    Ok(control_plane)
}

/// Ends everything when the caller's line breaks, unless it asked to be outlived.
fn watch(caller: BufReader<UnixStream>, line: UnixStream, room: Arc<Room>, children: Children) {
    thread::spawn(move || {
        let mut is_detached = false;
        for text in caller.lines().map_while(Result::ok) {
            let Ok(Wish::Detach) = serde_json::from_str(&text) else { continue };
            is_detached = room.write(DETACHED, "").and_then(|()| report(&line, &Report::Detached)).is_ok();
        }
        if !is_detached {
            leave(&room, &children, 0);
        }
    });
}

/// Ends this process and with it the cluster.
fn leave(room: &Room, children: &Children, code: i32) -> ! {
    if room.isolation == Isolation::Plain {
        children.stop_all();
        workplace::clear(&room.folder);
    }
    std::process::exit(code)
}

fn report(mut line: &UnixStream, report: &Report) -> io::Result<()> {
    let mut text = serde_json::to_vec(report)?;
    text.push(b'\n');
    line.write_all(&text)
}

/// The failure, and the last lines of whichever program is down.
fn explain(children: &Children, failure: &io::Error) -> String {
    let mut text = failure.to_string();
    for (name, state) in children.states() {
        // One that never ran has not ended in any way.
        if let State::Ended(how) = state
            && !how.is_empty()
            && !text.starts_with(&name)
        {
            text.push_str(&["\n", &name, " ended with ", &how, "; ", &children.last_lines(&name)].concat());
        }
    }
    text
}
