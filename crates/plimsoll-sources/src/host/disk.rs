//! The real files of this machine.

use super::{Entry, EntryKind, Host, Refusal};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::process::{Command, Stdio};

/// Reads from the disk, relative paths from the current folder.
#[derive(Debug, Clone, Copy, Default)]
pub struct Disk;

impl Host for Disk {
    fn look(&self, path: &str) -> Result<EntryKind, Refusal> {
        let metadata = fs::metadata(path)?;
        Ok(if metadata.is_dir() { EntryKind::Folder } else { EntryKind::File })
    }

    fn real(&self, path: &str) -> String {
        let path = if path.is_empty() { "." } else { path };
        fs::canonicalize(path).map_or_else(|_| path.to_owned(), |path| path.to_string_lossy().into_owned())
    }

    fn list(&self, folder: &str) -> Result<Vec<Entry>, Refusal> {
        let folder = if folder.is_empty() { "." } else { folder };
        let mut entries = Vec::new();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let found = entry.file_type()?;
            let is_link = found.is_symlink();
            let kind = match found {
                found if found.is_dir() => EntryKind::Folder,
                found if found.is_file() || is_link => EntryKind::File,
                _ => EntryKind::Other,
            };
            entries.push(Entry { name: entry.file_name().to_string_lossy().into_owned(), kind, is_link });
        }
        Ok(entries)
    }

    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, Refusal> {
        let file = File::open(path)?;
        let expected = file.metadata()?.len();
        if expected > limit {
            return Err(Refusal::TooLarge);
        }
        read_at_most(file, expected, limit)
    }

    fn run(&self, program: &str, arguments: &[String]) -> Result<String, Refusal> {
        let output = Command::new(program).args(arguments).stdin(Stdio::null()).output()?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        Err(Refusal::Failed(String::from_utf8_lossy(&output.stderr).trim().to_owned()))
    }

    fn standard_input(&self, limit: u64) -> Result<Vec<u8>, Refusal> {
        read_at_most(io::stdin().lock(), 0, limit)
    }
}

fn read_at_most(from: impl Read, expected: u64, limit: u64) -> Result<Vec<u8>, Refusal> {
    let mut bytes = Vec::with_capacity(usize::try_from(expected).unwrap_or(0).saturating_add(1));
    let count = from.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if count as u64 > limit { Err(Refusal::TooLarge) } else { Ok(bytes) }
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => Self::Missing,
            _ => Self::Failed(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_crate_is_found_on_the_disk() {
        let root = env!("CARGO_MANIFEST_DIR");
        assert_eq!(Disk.look(root), Ok(EntryKind::Folder));
        let entries = Disk.list(root).unwrap();
        let entry = |name: &str, kind| Entry { name: name.to_owned(), kind, is_link: false };
        assert!(entries.contains(&entry("Cargo.toml", EntryKind::File)));
        assert!(entries.contains(&entry("src", EntryKind::Folder)));
        let manifest = format!("{root}/Cargo.toml");
        assert!(Disk.read(&manifest, 1 << 20).is_ok());
        assert_eq!(Disk.read(&manifest, 3), Err(Refusal::TooLarge));
        assert_eq!(Disk.look(&format!("{root}/nowhere")), Err(Refusal::Missing));
        assert!(matches!(Disk.read(root, 10), Err(Refusal::Failed(_) | Refusal::TooLarge)));
    }
}
