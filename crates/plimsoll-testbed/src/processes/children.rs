//! The child processes of this one: started with a log each, and every end noticed, also of processes that were left to
//! process 1.

use super::program::{Program, Readiness};
use super::state::State;
use rustix::process::{Pid, Signal, WaitOptions, kill_process, wait};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io;
use std::os::unix::net::{UnixDatagram, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a program may take to be ready; a cold disk reads a hundred megabytes first.
const PATIENCE: Duration = Duration::from_mins(1);

/// How often it is looked whether a program that is waited for has ended.
const LOOK: Duration = Duration::from_millis(20);

/// How many of a program's last lines are shown when it fails.
const LAST: usize = 15;

/// All programs that this process runs.
#[derive(Clone, Debug)]
pub(crate) struct Children {
    table: Arc<(Mutex<Table>, Condvar)>,
    folder: PathBuf,
    is_process_one: bool,
}

#[derive(Debug, Default)]
struct Table {
    known: BTreeMap<String, Program>,
    running: BTreeMap<String, Pid>,
    ended: BTreeMap<String, String>,
    /// Those whose end was asked for.
    stopped: BTreeSet<String>,
}

impl Children {
    /// None yet; they run in this folder and their logs lie in its `logs`. Children of a process 1 end with it; others
    /// are tied to it by a signal.
    pub(crate) fn new(folder: &Path, is_process_one: bool) -> io::Result<Self> {
        for part in ["logs", "tmp"] {
            std::fs::create_dir_all(folder.join(part))?;
        }
        Ok(Self { table: Arc::default(), folder: folder.to_owned(), is_process_one })
    }

    /// Starts a program and waits until it is ready. Called by the main thread only: the signal that ties a process to
    /// its parent comes when the *thread* that started it ends.
    pub(crate) fn start(&self, program: &Program) -> io::Result<()> {
        self.lock().known.insert(program.name.clone(), program.clone());
        match &program.readiness {
            Readiness::Unknown => self.spawn(program, None),
            Readiness::Notice => self.start_until_notice(program),
            Readiness::Socket(path) => {
                // A socket of an earlier life would be taken for the new one.
                let _ = std::fs::remove_file(path);
                self.spawn(program, None)?;
                self.wait(program, || UnixStream::connect(path).is_ok() || pause())
            }
        }
    }

    /// Starts a program that was stopped or has ended.
    pub(crate) fn start_again(&self, name: &str) -> io::Result<()> {
        let table = self.lock();
        if table.running.contains_key(name) {
            return Ok(());
        }
        let program = table.known.get(name).cloned();
        drop(table);
        self.start(&program.ok_or_else(|| io::Error::other(format!("no program here is called {name}")))?)
    }

    /// Ends a program at once and waits until it is gone.
    pub(crate) fn stop(&self, name: &str) -> io::Result<()> {
        let mut table = self.lock();
        if !table.known.contains_key(name) {
            return Err(io::Error::other(format!("no program here is called {name}")));
        }
        let Some(process) = table.running.get(name).copied() else { return Ok(()) };
        table.stopped.insert(name.to_owned());
        kill_process(process, Signal::KILL)?;
        while table.running.contains_key(name) {
            table = self.table.1.wait(table).unwrap_or_else(PoisonError::into_inner);
        }
        Ok(())
    }

    /// Ends all.
    pub(crate) fn stop_all(&self) {
        let names: Vec<String> = self.lock().running.keys().cloned().collect();
        for name in names {
            // What is gone already needs no end.
            let _ = self.stop(&name);
        }
    }

    /// Sends a signal to a program if it runs.
    pub(crate) fn signal(&self, name: &str, signal: Signal) {
        if let Some(process) = self.lock().running.get(name) {
            // It may just have ended.
            let _ = kill_process(*process, signal);
        }
    }

    /// Every program and whether it runs.
    pub(crate) fn states(&self) -> BTreeMap<String, State> {
        let table = self.lock();
        let state = |name: &String| match table.ended.get(name) {
            _ if table.running.contains_key(name) => State::Running,
            _ if table.stopped.contains(name) => State::Stopped,
            how => State::Ended(how.cloned().unwrap_or_default()),
        };
        table.known.keys().map(|name| (name.clone(), state(name))).collect()
    }

    /// The last lines of a program's log.
    pub(crate) fn last_lines(&self, name: &str) -> String {
        let log = std::fs::read_to_string(self.log(name)).unwrap_or_default();
        let count = log.lines().count();
        let last: Vec<&str> = log.lines().skip(count.saturating_sub(LAST)).collect();
        format!("last lines of {name}:\n  {}", last.join("\n  "))
    }

    /// Waits for ends for ever; this process must wait for its children nowhere else once this runs.
    pub(crate) fn reap(&self) {
        loop {
            match wait(WaitOptions::empty()) {
                Ok(Some((process, status))) => {
                    let how = match (status.exit_status(), status.terminating_signal()) {
                        (Some(code), _) => format!("exit code {code}"),
                        (None, Some(signal)) => format!("signal {signal}"),
                        (None, None) => continue,
                    };
                    self.note_end(process, &how);
                }
                Ok(None) | Err(rustix::io::Errno::INTR) => {}
                // No child is left to wait for; the next one may come.
                Err(_) => std::thread::sleep(LOOK),
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

    fn start_until_notice(&self, program: &Program) -> io::Result<()> {
        let path = self.folder.join(format!("{}.notice", program.name));
        // One of an earlier life.
        let _ = std::fs::remove_file(&path);
        let notices = UnixDatagram::bind(&path)?;
        notices.set_read_timeout(Some(LOOK))?;
        self.spawn(program, Some(&path))?;
        let mut notice = [0; 256];
        self.wait(program, || {
            let length = notices.recv(&mut notice).unwrap_or(0);
            notice.get(..length).is_some_and(|text| text.starts_with(b"READY=1"))
        })
    }

    /// Asks until the answer is yes, the program ends, or patience does.
    fn wait(&self, program: &Program, mut is_ready: impl FnMut() -> bool) -> io::Result<()> {
        let name = &program.name;
        let deadline = Instant::now() + PATIENCE;
        loop {
            if is_ready() {
                return Ok(());
            }
            let ended = self.lock().ended.get(name).cloned();
            if let Some(how) = ended {
                return Err(io::Error::other(format!("{name} ended with {how}; {}", self.last_lines(name))));
            }
            if Instant::now() > deadline {
                let seconds = PATIENCE.as_secs();
                let lines = self.last_lines(name);
                return Err(io::Error::other(format!("{name} was not ready after {seconds} s; {lines}")));
            }
        }
    }

    fn spawn(&self, program: &Program, notices: Option<&Path>) -> io::Result<()> {
        let log = File::options().create(true).append(true).open(self.log(&program.name))?;
        let mut command = if self.is_process_one {
            Command::new(&program.path)
        } else {
            let mut command = Command::new("setpriv");
            command.args(["--pdeathsig", "KILL"]).arg(&program.path);
            command
        };
        command.args(&program.arguments).current_dir(&self.folder).env("TMPDIR", self.folder.join("tmp"));
        command.envs(program.environment.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
        match notices {
            Some(path) => command.env("NOTIFY_SOCKET", path),
            None => command.env_remove("NOTIFY_SOCKET"),
        };
        // Held until the process is in the table, or its end could be noticed before its beginning.
        let mut table = self.lock();
        let child = command.spawn().map_err(|cause| {
            let path = program.path.display();
            let next = "if it is damaged, remove it, and it is built again";
            io::Error::new(cause.kind(), format!("{path} could not be run: {cause}; {next}"))
        })?;
        table.running.insert(program.name.clone(), Pid::from_child(&child));
        table.ended.remove(&program.name);
        table.stopped.remove(&program.name);
        Ok(())
    }

    fn log(&self, name: &str) -> PathBuf {
        self.folder.join("logs").join(format!("{name}.log"))
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Not yet; a moment later perhaps.
fn pause() -> bool {
    std::thread::sleep(LOOK);
    false
}
