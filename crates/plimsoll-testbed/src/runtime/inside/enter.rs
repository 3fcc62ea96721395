//! A command executed in a running container: enters its namespaces, becomes who its processes are, and waits.

use super::init::{code, pid_of, run, send};
use super::specification::Entry;
use super::{InsideError, identity, step};
use rustix::process::{Pid, PidfdFlags, WaitOptions, pidfd_open, waitpid};
use rustix::thread::{ThreadNameSpaceType, move_into_thread_name_spaces};
use signal_hook::consts::{SIGCHLD, SIGKILL, SIGTERM};
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::os::fd::AsFd;
use std::path::Path;

/// Runs the entry that the file holds in the container whose process 1 has this number; answers its exit code.
/// If it cannot be started, the reason stands in the file afterwards.
#[must_use]
pub fn enter(pid: i32, file: &Path) -> u8 {
    // Kept open: in the container's namespaces the path means another file, or none.
    let Ok(mut file) = OpenOptions::new().read(true).write(true).open(file) else { return 126 };
    match attempt(pid, &mut file) {
        Ok(code) => code,
        Err(error) => {
            // The exit code alone says that it failed if the reason cannot be written.
            let _ =
                file.set_len(0).and_then(|()| file.rewind()).and_then(|()| write!(file, "failed: {error}"));
            126
        }
    }
}

fn attempt(pid: i32, file: &mut File) -> Result<u8, InsideError> {
    let mut text = String::new();
    file.read_to_string(&mut text).map_err(step("read the entry"))?;
    let entry: Entry = serde_json::from_str(&text)?;
    let pid = Pid::from_raw(pid).ok_or(InsideError::NoCommand)?;
    let container = pidfd_open(pid, PidfdFlags::empty()).map_err(step("find the container"))?;
    let spaces = ThreadNameSpaceType::MOUNT
        | ThreadNameSpaceType::PROCESS_ID
        | ThreadNameSpaceType::NETWORK
        | ThreadNameSpaceType::HOST_NAME_AND_NIS_DOMAIN_NAME
        | ThreadNameSpaceType::INTER_PROCESS_COMMUNICATION;
    move_into_thread_name_spaces(container.as_fd(), spaces).map_err(step("enter the container"))?;
    let home = identity::assume(&entry.identity)?;
    let (child, mut signals) = run(&entry, &home)?;
    let child = pid_of(&child);
    for signal in signals.forever() {
        match signal {
            // The runtime's only signal: the time is over, or nobody listens any more.
            SIGTERM => send(child, SIGKILL),
            SIGCHLD => {}
            other => send(child, other),
        }
        if let Ok(Some((_, status))) = waitpid(child, WaitOptions::NOHANG) {
            return Ok(code(status));
        }
    }
    Ok(126)
}
