//! A folder that charts are read from, on disk or anywhere else.

use std::fs;
use std::io;
use std::path::PathBuf;

/// A folder that is read, wherever it is. Paths have slashes and begin below the folder.
pub trait Folder: Sync {
    /// What stands in a folder inside it; the empty path is the folder itself.
    fn list(&self, path: &str) -> io::Result<Vec<Entry>>;

    /// What is in a file.
    fn read(&self, path: &str) -> io::Result<Vec<u8>>;
}

/// A file or folder inside a folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// The name without a path.
    pub name: String,
    /// Whether it is a folder.
    pub is_folder: bool,
}

/// A folder on disk.
#[derive(Debug, Clone)]
pub struct DiskFolder(pub PathBuf);

impl Folder for DiskFolder {
    fn list(&self, path: &str) -> io::Result<Vec<Entry>> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(self.0.join(path))? {
            let entry = entry?;
            // Helm follows links.
            let is_folder = fs::metadata(entry.path())?.is_dir();
            entries.push(Entry { name: entry.file_name().to_string_lossy().into_owned(), is_folder });
        }
        Ok(entries)
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        fs::read(self.0.join(path))
    }
}
