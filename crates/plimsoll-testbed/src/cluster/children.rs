//! The programs of a cluster as processes: started with a log each, and every end noticed, also of processes that were
//! left to process 1.

use super::options::Isolation;
use super::room::Room;
use rustix::process::{Pid, Signal, WaitOptions, kill_process, wait};
use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// All programs of a cluster.
#[derive(Clone, Debug, Default)]
pub(super) struct Children {
    table: Arc<(Mutex<Table>, Condvar)>,
}

#[derive(Debug, Default)]
struct Table {
    running: BTreeMap<String, Pid>,
    ended: BTreeMap<String, String>,
}

/// A program that was started.
#[derive(Debug)]
pub(super) struct Program<'a> {
    pub(super) name: &'a str,
    pub(super) path: &'a Path,
    pub(super) arguments: Vec<String>,
}

impl Children {
    /// Starts a program; what it prints goes to its log. Called by the main thread only: a parent-death signal comes
    /// when the *thread* that started the process ends.
    pub(super) fn start(&self, room: &Room, program: &Program<'_>) -> io::Result<()> {
        self.spawn(room, program, None)
    }

    /// Starts a program that tells its service manager when it is ready, and waits until it does.
    pub(super) fn start_and_wait(
        &self,
        room: &Room,
        program: &Program<'_>,
        within: Duration,
    ) -> io::Result<()> {
        let socket = room.file(&format!("{}.notify", program.name));
        let notices = UnixDatagram::bind(&socket)?;
        // Short waits, so that an early end is noticed too.
        notices.set_read_timeout(Some(Duration::from_millis(50)))?;
        self.spawn(room, program, Some(&socket))?;
        let deadline = Instant::now() + within;
        let mut notice = [0; 256];
        loop {
            if let Ok(length) = notices.recv(&mut notice)
                && notice.get(..length).is_some_and(|text| text.starts_with(b"READY=1"))
            {
                return std::fs::remove_file(socket);
            }
            if let Some(how) = self.how_ended(program.name) {
                return Err(io::Error::other(format!("{} ended: {how}", program.name)));
            }
            if Instant::now() > deadline {
                let seconds = within.as_secs();
                return Err(io::Error::other(format!("{} was not ready after {seconds} s", program.name)));
            }
        }
    }

    /// How a program ended, if it did.
    pub(super) fn how_ended(&self, name: &str) -> Option<String> {
        self.lock().ended.get(name).cloned()
    }

    /// Ends a program at once and waits until it is gone.
    pub(super) fn end(&self, name: &str) -> io::Result<()> {
        let mut table = self.lock();
        let Some(process) = table.running.get(name).copied() else { return Ok(()) };
        kill_process(process, Signal::KILL)?;
        while table.running.contains_key(name) {
            table = self.table.1.wait(table).unwrap_or_else(PoisonError::into_inner);
        }
        Ok(())
    }

    /// Ends all.
    pub(super) fn end_all(&self) {
        let names: Vec<String> = self.lock().running.keys().cloned().collect();
        for name in names {
            // What is gone already needs no end.
            let _ = self.end(&name);
        }
    }

    /// Waits for ends for ever; this process must wait for its children nowhere else once this runs.
    pub(super) fn reap(&self) {
        loop {
            match wait(WaitOptions::empty()) {
                Ok(Some((process, status))) => self.note_end(process, &format!("{status:?}")),
                Ok(None) | Err(rustix::io::Errno::INTR) => {}
                // No child is left to wait for; the next one may come.
                Err(_) => std::thread::sleep(Duration::from_millis(20)),
            }
        }
    }

    fn note_end(&self, process: Pid, how: &str) {
        let mut table = self.lock();
        let name =
            table.running.iter().find(|(_, running)| **running == process).map(|(name, _)| name.clone());
        if let Some(name) = name {
            table.running.remove(&name);
            table.ended.insert(name, how.to_owned());
        }
        self.table.1.notify_all();
    }

    fn spawn(&self, room: &Room, program: &Program<'_>, notify: Option<&Path>) -> io::Result<()> {
        let log = File::options().create(true).append(true).open(room.log(program.name))?;
        let mut command = if room.isolation == Isolation::Plain {
            let mut command = Command::new("setpriv");
            command.args(["--pdeathsig", "KILL"]).arg(program.path);
            command
        } else {
            Command::new(program.path)
        };
        command.args(&program.arguments).current_dir(&room.folder).env("TMPDIR", room.file("tmp"));
        command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
        if let Some(socket) = notify {
            command.env("NOTIFY_SOCKET", socket);
        }
        // Held until the process is in the table, or its end could be noticed before its beginning.
        let mut table = self.lock();
        let child = command.spawn().map_err(|cause| {
            io::Error::new(cause.kind(), format!("{} could not be run: {cause}", program.path.display()))
        })?;
        table.running.insert(program.name.to_owned(), Pid::from_child(&child));
        table.ended.remove(program.name);
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
