//! Programs that were built once: `${XDG_CACHE_HOME:-~/.cache}/plimsoll/programs/NAME-VERSION/NAME`. A folder appears
//! there whole or not at all.

use super::failure::ProgramError;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// The folder of a program when it is in the cache; nothing if this user has no home.
pub(super) fn folder(name: &str, version: &str) -> Option<PathBuf> {
    Some(root()?.join(format!("{name}-{version}")))
}

/// A place to build a program in, which nobody else builds in meanwhile.
#[derive(Debug)]
pub(super) struct Site {
    /// Files of the build.
    pub(super) work: PathBuf,
    /// Files that Go makes meanwhile.
    pub(super) temporary: PathBuf,
    /// What will be the program's folder.
    pub(super) result: PathBuf,
    target: PathBuf,
    /// The kernel lets go of it when this process ends, in whatever way: it cannot be stale.
    _lock: File,
}

impl Site {
    /// Waits for others who build the same program, and clears what a build that was killed has left.
    pub(super) fn open(
        name: &str,
        version: &str,
        progress: &mut dyn FnMut(&str),
    ) -> Result<Self, ProgramError> {
        let root = root().ok_or(ProgramError::NoCache)?;
        let failure = |path: &Path, cause| ProgramError::file(path, cause);
        fs::create_dir_all(&root).map_err(|cause| failure(&root, cause))?;
        let path = root.join(format!(".{name}-{version}.lock"));
        let lock = File::create(&path).map_err(|cause| failure(&path, cause))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                progress(&format!("waiting for another process that builds {name} {version}"));
                lock.lock().map_err(|cause| failure(&path, cause))?;
            }
            Err(TryLockError::Error(cause)) => return Err(failure(&path, cause)),
        }
        let site = root.join(format!(".{name}-{version}.building"));
        remove(&site).map_err(|cause| failure(&site, cause))?;
        sweep(&root);
        let (work, temporary, result) = (site.join("work"), site.join("temporary"), site.join("result"));
        for folder in [&work, &temporary, &result] {
            fs::create_dir_all(folder).map_err(|cause| failure(folder, cause))?;
        }
        Ok(Self { work, temporary, result, target: root.join(format!("{name}-{version}")), _lock: lock })
    }

    /// Puts the result into the cache, in one step.
    pub(super) fn finish(self) -> Result<PathBuf, ProgramError> {
        let failure = |cause| ProgramError::file(&self.target, cause);
        remove(&self.target).map_err(failure)?;
        fs::rename(&self.result, &self.target).map_err(failure)?;
        Ok(self.target.clone())
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        if let Some(site) = self.work.parent() {
            // What stays is cleared by the next build.
            let _ = remove(site);
        }
    }
}

/// Removes what builds of other programs have left that were killed: nobody holds their locks.
fn sweep(root: &Path) {
    for entry in fs::read_dir(root).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some(of) = name.strip_suffix(".building") else { continue };
        let lock = File::open(root.join(format!("{of}.lock")));
        if lock.is_ok_and(|lock| lock.try_lock().is_ok()) {
            // What stays is cleared by the next build.
            let _ = remove(&entry.path());
        }
    }
}

fn root() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")))?;
    Some(cache.join("plimsoll/programs"))
}

fn remove(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => Err(cause),
        _ => Ok(()),
    }
}
