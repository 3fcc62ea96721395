//! One of the testbed's own processes.

use crate::SOON;
use plimsoll_testbed::cluster::Cluster;
use plimsoll_testbed::processes::tied;
use plimsoll_testbed::workplace::Workplace;
use std::io::{BufRead as _, BufReader};
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A process of this test; what it started inside a cluster ends with the cluster.
pub(crate) struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts one inside the cluster and waits until it says that it is ready.
pub(crate) fn inside(cluster: &Cluster, arguments: &[&str]) -> Process {
    let mut command = cluster.command_inside(program());
    command.args(arguments);
    start(command)
}

/// Starts one outside; with it comes the first line that it prints.
pub(crate) fn outside(arguments: &[&str]) -> (Process, String) {
    let mut command = tied(program());
    command.args(arguments).stdout(Stdio::piped());
    let mut process = start(command);
    let mut line = String::new();
    BufReader::new(process.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    (process, line.trim().to_owned())
}

fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_plimsoll-testbed"))
}

fn start(mut command: Command) -> Process {
    let folder = Workplace::open().unwrap();
    let notices = UnixDatagram::bind(folder.path().join("notices")).unwrap();
    notices.set_read_timeout(Some(SOON)).unwrap();
    command.env("NOTIFY_SOCKET", folder.path().join("notices"));
    let process = command.spawn().map(Process).unwrap();
    let mut notice = [0; 64];
    let count = notices.recv(&mut notice).expect("it is ready");
    assert_eq!(&notice[..count], b"READY=1");
    process
}
