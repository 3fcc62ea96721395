//! The audit log as it grows.

use super::event::Event;
use super::growth::Growth;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The audit log of one API server, read from a beginning and on as it grows.
///
/// Its calls block; in asynchronous code they belong into `spawn_blocking`.
#[derive(Debug)]
pub struct Trail {
    path: PathBuf,
    growth: Growth,
    file: Option<File>,
    /// The beginning of a line whose end is not written yet.
    rest: Vec<u8>,
    seen: Vec<Event>,
    /// How many of `seen` a wait has passed.
    passed: usize,
}

/// The audit log could not be read, or does not hold what was waited for.
#[derive(Debug, thiserror::Error)]
pub enum TrailError {
    /// The log or its folder cannot be read.
    #[error("audit log {}: {cause}; is the API server started with --audit-log-path?", path.display())]
    Unreadable {
        /// The log.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// A line of the log is no event.
    #[error("audit log {}: {cause} in the line {line}", path.display())]
    NoEvent {
        /// The log.
        path: PathBuf,
        /// The line.
        line: String,
        /// Why.
        cause: serde_json::Error,
    },
    /// What was waited for did not come.
    #[error(
        "{awaited}: not in the audit log within {within:?}; {others} other events came{}",
        last.as_ref().map(|event| format!(", the last: {event}")).unwrap_or_default()
    )]
    Missed {
        /// What was waited for.
        awaited: String,
        /// How long.
        within: Duration,
        /// How many events came instead.
        others: usize,
        /// The last of them.
        last: Option<Box<Event>>,
    },
}

impl Trail {
    /// The log from its first line. The file may appear later; its folder must be there.
    pub fn from_start(path: impl Into<PathBuf>) -> Result<Self, TrailError> {
        let path = path.into();
        let folder = path.parent().unwrap_or(Path::new("."));
        let growth = Growth::in_folder(folder)
            .map_err(|cause| TrailError::Unreadable { path: folder.to_owned(), cause })?;
        Ok(Self { path, growth, file: None, rest: Vec::new(), seen: Vec::new(), passed: 0 })
    }

    /// The log from here on: what was logged before now is left out.
    pub fn from_now(path: impl Into<PathBuf>) -> Result<Self, TrailError> {
        let mut trail = Self::from_start(path)?;
        trail.file = open(&trail.path).map_err(|cause| trail.unreadable(cause))?;
        let Some(file) = &mut trail.file else { return Ok(trail) };
        // A line that is being written right now began before now: it goes with the others.
        let skipped = file.seek(SeekFrom::End(-1)).and_then(|_| last_byte(file));
        if skipped.is_ok_and(|byte| byte != b'\n') {
            trail.rest.push(b'#');
        }
        Ok(trail)
    }

    /// Every event so far, also those that a wait passed over.
    pub fn events(&mut self) -> Result<&[Event], TrailError> {
        self.read()?;
        Ok(&self.seen)
    }

    /// Waits for the next event that is wanted and returns it; the wait after this one begins behind it. `awaited` says
    /// in the error what did not come.
    pub fn wait_for(
        &mut self,
        awaited: &str,
        within: Duration,
        mut wanted: impl FnMut(&Event) -> bool,
    ) -> Result<Event, TrailError> {
        let deadline = Instant::now() + within;
        let start = self.passed;
        loop {
            self.read()?;
            while let Some(event) = self.seen.get(self.passed) {
                self.passed += 1;
                if wanted(event) {
                    return Ok(event.clone());
                }
            }
            if !self.growth.wait_until(deadline).map_err(|cause| self.unreadable(cause))? {
                let missed = self.seen.get(start..).unwrap_or_default();
                return Err(TrailError::Missed {
                    awaited: awaited.to_owned(),
                    within,
                    others: missed.len(),
                    last: missed.last().cloned().map(Box::new),
                });
            }
        }
    }

    /// Lets the next wait begin again with the first event.
    pub fn rewind(&mut self) {
        self.passed = 0;
    }

    /// Reads what was written since the last time, also what the server wrote before and after it began a new file.
    fn read(&mut self) -> Result<(), TrailError> {
        loop {
            if self.file.is_none() {
                self.file = open(&self.path).map_err(|cause| self.unreadable(cause))?;
            }
            let Some(file) = &mut self.file else { return Ok(()) };
            // Asked before reading: a file that is replaced now is read to its end in any case.
            let replaced = is_replaced(file, &self.path);
            file.read_to_end(&mut self.rest).map_err(|cause| self.unreadable(cause))?;
            self.take_lines()?;
            if !replaced {
                return Ok(());
            }
            self.file = None;
        }
    }

    fn take_lines(&mut self) -> Result<(), TrailError> {
        let Some(end) = self.rest.iter().rposition(|byte| *byte == b'\n') else { return Ok(()) };
        let after = self.rest.split_off(end + 1);
        let whole = std::mem::replace(&mut self.rest, after);
        for line in whole.split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"{")) {
            let event = serde_json::from_slice(line).map_err(|cause| TrailError::NoEvent {
                path: self.path.clone(),
                line: String::from_utf8_lossy(line).into_owned(),
                cause,
            })?;
            self.seen.push(event);
        }
        Ok(())
    }

    fn unreadable(&self, cause: io::Error) -> TrailError {
        TrailError::Unreadable { path: self.path.clone(), cause }
    }
}

fn open(path: &Path) -> io::Result<Option<File>> {
    match File::open(path) {
        Ok(file) => Ok(Some(file)),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(cause) => Err(cause),
    }
}

/// Whether another file bears the name now: the server begins a new one when the old one is full (100 MB by default).
fn is_replaced(file: &File, path: &Path) -> bool {
    let numbers = |data: std::fs::Metadata| (data.dev(), data.ino());
    match (file.metadata(), path.metadata()) {
        (Ok(ours), Ok(named)) => numbers(ours) != numbers(named),
        _ => false,
    }
}

fn last_byte(file: &mut File) -> io::Result<u8> {
    let mut byte = [0];
    file.read_exact(&mut byte)?;
    let [byte] = byte;
    Ok(byte)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::io::Write as _;

    const SOON: Duration = Duration::from_secs(20);

    fn line(name: &str) -> String {
        format!(
            r#"{{"auditID":"1","stage":"ResponseComplete","requestURI":"/","verb":"create","user":{{"username":"a"}},"objectRef":{{"resource":"configmaps","namespace":"d","name":"{name}"}},"responseStatus":{{"code":201}},"requestReceivedTimestamp":"2026-11-15T15:52:45.627993Z","stageTimestamp":"2026-11-15T15:52:46.151464Z"}}"#
        )
    }

    fn names(events: &[Event]) -> Vec<&str> {
        events.iter().map(|event| event.object.as_ref().unwrap().name.as_str()).collect()
    }

    #[test]
    fn an_event_is_waited_for_until_its_line_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.log");
        let mut trail = Trail::from_start(&path).unwrap();
        let writer = std::thread::spawn(move || {
            let mut file = File::create(&path).unwrap();
            for piece in [line("a"), "\n".to_owned(), line("b")[..40].to_owned(), line("b")[40..].to_owned()]
            {
                file.write_all(piece.as_bytes()).unwrap();
            }
            file.write_all(b"\n").unwrap();
        });
        let event = trail.wait_for("b", SOON, |event| event.is_about("configmaps", "d", "b")).unwrap();
        assert_eq!(event.code(), 201);
        writer.join().unwrap();
        assert_eq!(names(trail.events().unwrap()), ["a", "b"]);
    }

    #[test]
    fn a_new_file_of_the_same_name_is_read_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.log");
        fs::write(&path, line("a") + "\n").unwrap();
        let mut trail = Trail::from_start(&path).unwrap();
        assert_eq!(names(trail.events().unwrap()), ["a"]);
        let mut old = File::options().append(true).open(&path).unwrap();
        writeln!(old, "{}", line("b")).unwrap();
        fs::rename(&path, folder.path().join("audit-1.log")).unwrap();
        fs::write(&path, line("c") + "\n").unwrap();
        assert_eq!(names(trail.events().unwrap()), ["a", "b", "c"]);
    }

    #[test]
    fn what_was_logged_before_now_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.log");
        fs::write(&path, line("a") + "\n" + &line("b")[..30]).unwrap();
        let mut trail = Trail::from_now(&path).unwrap();
        let mut file = File::options().append(true).open(&path).unwrap();
        writeln!(file, "{}\n{}", &line("b")[30..], line("c")).unwrap();
        assert_eq!(names(trail.events().unwrap()), ["c"]);
    }

    #[test]
    fn a_wait_that_ends_says_what_it_waited_for_and_what_came() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.log");
        fs::write(&path, line("a") + "\n").unwrap();
        let mut trail = Trail::from_start(&path).unwrap();
        let missed = trail.wait_for("the Secret", Duration::from_millis(1), |_| false).unwrap_err();
        assert_eq!(
            missed.to_string(),
            "the Secret: not in the audit log within 1ms; 1 other events came, the last: 15:52:45.627993 a create \
             configmaps d/a: 201"
        );
    }

    #[test]
    fn a_line_that_is_no_event_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.log");
        fs::write(&path, "{\"auditID\":1}\n").unwrap();
        let said = Trail::from_start(&path).unwrap().events().unwrap_err().to_string();
        assert!(said.contains("in the line {\"auditID\":1}"), "{said}");
    }
}
