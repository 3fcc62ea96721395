//! A folder for what a task or a test writes. Nobody has to clear it: it goes with the process, however that ends.

mod locked;

pub use locked::sweep;

pub(crate) use locked::{clear, locked};

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Waits for the end of whoever holds the other end of its input.
const GUARD: &str = "cat >/dev/null; rm -rf -- \"$FOLDER\"";

/// A folder that goes when this is dropped, and also when this process is killed. If its guard is killed too, the next
/// one who makes a folder sweeps it.
#[derive(Debug)]
pub struct Workplace {
    path: PathBuf,
    /// Removes the folder when its input ends, which only this process holds open.
    guard: Child,
    _lock: File,
}

impl Workplace {
    /// An empty folder on disk: what lies in the memory of a namespace is not to be found by programs that ask where
    /// they are, such as kustomize and Go.
    pub fn open() -> io::Result<Self> {
        let (path, lock) = locked()?;
        let mut command = Command::new("setsid");
        command.args(["sh", "-c", GUARD]).env("FOLDER", &path).current_dir("/").stdin(Stdio::piped());
        Ok(Self { guard: command.spawn()?, path, _lock: lock })
    }

    /// Where it lies.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Workplace {
    fn drop(&mut self) {
        drop(self.guard.stdin.take());
        // One that was killed has nothing to wait for.
        let _ = self.guard.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_goes_when_it_is_dropped() {
        let workplace = Workplace::open().unwrap();
        let path = workplace.path().to_owned();
        std::fs::write(path.join("file"), "text").unwrap();
        drop(workplace);
        assert!(!path.exists(), "{} is left", path.display());
    }

    #[test]
    fn a_folder_whose_guard_was_killed_is_swept_when_its_owner_is_gone() {
        let mut workplace = Workplace::open().unwrap();
        let path = workplace.path().to_owned();
        workplace.guard.kill().unwrap();
        let _ = sweep();
        assert!(path.exists(), "its owner lives");
        drop(workplace);
        let _ = sweep();
        assert!(!path.exists());
    }
}
