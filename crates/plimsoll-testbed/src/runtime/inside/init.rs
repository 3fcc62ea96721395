//! Process 1 of a container: prepares its files, starts its program, passes signals on and collects the dead.
//! Without it a program that handles no SIGTERM would be process 1 itself, and the kernel would not end it by one.

use super::specification::{Entry, Specification};
use super::{InsideError, identity, root, step};
use rustix::process::{Pid, Signal, WaitOptions, WaitStatus, kill_process, wait};
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGWINCH};
use signal_hook::iterator::Signals;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, Command};

/// The exit code of a container that never ran, as other runtimes have it.
const NEVER_RAN: u8 = 128;

/// Runs a container as the runtime at the other end of the socket says; answers its exit code. The socket's end is the
/// container's: a runtime that died leaves nothing behind.
#[must_use]
pub fn init(control: &Path) -> u8 {
    let Ok(mut runtime) = UnixStream::connect(control) else { return NEVER_RAN };
    match start(&runtime) {
        Ok((child, signals)) => {
            let told = runtime.write_all(b"started\n");
            let pid = pid_of(&child);
            std::thread::spawn(move || obey(runtime, pid));
            if told.is_ok() { watch(signals, pid) } else { NEVER_RAN }
        }
        Err(error) => {
            // If the runtime is gone too, nobody is left to be told.
            let _ = runtime.write_all(format!("{error}\n").as_bytes());
            NEVER_RAN
        }
    }
}

fn start(runtime: &UnixStream) -> Result<(Child, Signals), InsideError> {
    let mut text = String::new();
    BufReader::new(runtime).read_line(&mut text).map_err(step("read the specification"))?;
    let specification: Specification = serde_json::from_str(&text)?;
    for namespace in &specification.namespaces {
        let file = File::open(namespace).map_err(step(format!("open {}", namespace.display())))?;
        rustix::thread::move_into_link_name_space(file.as_fd(), None).map_err(step("join the pod"))?;
    }
    root::prepare(&specification)?;
    let _ = std::fs::create_dir_all(&specification.entry.working_folder);
    let home = identity::assume(&specification.entry.identity)?;
    run(&specification.entry, &home)
}

/// Starts a program in the container this process is in, as whom it already is.
pub(super) fn run(entry: &Entry, home: &str) -> Result<(Child, Signals), InsideError> {
    let (program, arguments) = entry.words.split_first().ok_or(InsideError::NoCommand)?;
    if entry.terminal {
        rustix::process::setsid().map_err(step("begin a session"))?;
        rustix::process::ioctl_tiocsctty(io::stdin()).map_err(step("take the terminal"))?;
    }
    let signals = [SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGWINCH];
    let signals = Signals::new(signals).map_err(step("listen to signals"))?;
    let child = Command::new(program)
        .args(arguments)
        .env_clear()
        .env("HOME", home)
        .envs(entry.environment.iter().map(|(name, value)| (name, value)))
        .current_dir(&entry.working_folder)
        .spawn();
    let child = child.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound if program.contains('/') => InsideError::NoFile(program.clone()),
        io::ErrorKind::NotFound => InsideError::NotFound(program.clone()),
        _ => step(format!("exec: \"{program}\""))(error),
    })?;
    Ok((child, signals))
}

/// Sends the signals that the runtime names; kills everything at the end of the socket by ending itself.
fn obey(runtime: UnixStream, program: Option<Pid>) {
    for line in BufReader::new(runtime).lines().map_while(Result::ok) {
        send(program, line.trim().parse().unwrap_or(SIGTERM));
    }
    std::process::exit(137);
}

/// Collects the dead and passes signals on, until the program itself has ended.
fn watch(mut signals: Signals, program: Option<Pid>) -> u8 {
    for signal in signals.forever() {
        if signal != SIGCHLD {
            send(program, signal);
            continue;
        }
        while let Ok(Some((pid, status))) = wait(WaitOptions::NOHANG) {
            if Some(pid) == program {
                return code(status);
            }
        }
    }
    NEVER_RAN
}

pub(super) fn send(program: Option<Pid>, number: i32) {
    if let (Some(pid), Some(signal)) = (program, Signal::from_named_raw(number)) {
        // It may have ended in between.
        let _ = kill_process(pid, signal);
    }
}

pub(super) fn pid_of(child: &Child) -> Option<Pid> {
    i32::try_from(child.id()).ok().and_then(Pid::from_raw)
}

/// The exit code as shells count: 128 and the signal for a killed program.
pub(super) fn code(status: WaitStatus) -> u8 {
    let signal = status.terminating_signal().map(|signal| 128 + signal);
    u8::try_from(status.exit_status().or(signal).unwrap_or(255)).unwrap_or(255)
}
