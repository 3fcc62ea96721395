//! Temporary folders with a lock in them: what is left of one whose owner was killed can be told from one in use.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// Their names begin so.
const PREFIX: &str = "plimsoll-testbed-";

/// Held by the owner; the kernel lets go of it when the process ends.
const LOCK: &str = "lock";

/// A new folder, and the lock that says that it is in use. Clears first what others have left.
pub(crate) fn locked() -> io::Result<(PathBuf, File)> {
    let _ = sweep();
    let folder = tempfile::Builder::new().prefix(PREFIX).tempdir()?.keep();
    // Locked before it has its name, so that nobody takes this for a dead one's.
    let unnamed = folder.join("lock.new");
    let lock = File::create(&unnamed)?;
    lock.lock()?;
    std::fs::rename(&unnamed, folder.join(LOCK))?;
    Ok((folder, lock))
}

/// Removes such a folder, and nothing else.
pub(crate) fn clear(folder: &Path) {
    let is_temporary = folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with(PREFIX));
    if is_temporary {
        // Whatever stays is swept by the next one.
        let _ = std::fs::remove_dir_all(folder);
    }
}

/// Removes the folders whose owners were killed together with whoever would have removed them; gives them.
#[must_use]
pub fn sweep() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(std::env::temp_dir()).into_iter().flatten().flatten();
    let ours = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(PREFIX));
    let is_dead = |folder: &PathBuf| File::open(folder.join(LOCK)).is_ok_and(|lock| lock.try_lock().is_ok());
    // A folder of another user stays his.
    ours.map(|entry| entry.path())
        .filter(is_dead)
        .filter(|folder| std::fs::remove_dir_all(folder).is_ok())
        .collect()
}
