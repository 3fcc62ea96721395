//! The host as the renderer sees it.

use crate::host::{EntryKind, Host, Refusal};
use crate::search::join;
use plimsoll_chart::{Entry, Folder};
use plimsoll_yaml::MAX_FILE_BYTES;
use std::io;

/// A folder of the host.
pub(super) struct HostFolder<'h> {
    pub(super) host: &'h dyn Host,
    pub(super) root: &'h str,
}

impl Folder for HostFolder<'_> {
    fn list(&self, path: &str) -> io::Result<Vec<Entry>> {
        let folder = if path.is_empty() { self.root.to_owned() } else { join(self.root, path) };
        let entries = self.host.list(&folder).map_err(refused)?;
        let entry = |entry: crate::host::Entry| {
            // Helm follows links, and the host tells of them only when it is asked for the path.
            let is_folder = self.host.look(&join(&folder, &entry.name)) == Ok(EntryKind::Folder);
            Entry { name: entry.name, is_folder }
        };
        Ok(entries.into_iter().map(entry).collect())
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.host.read(&join(self.root, path), MAX_FILE_BYTES).map_err(refused)
    }
}

fn refused(refusal: Refusal) -> io::Error {
    match refusal {
        Refusal::Missing => io::Error::from(io::ErrorKind::NotFound),
        Refusal::TooLarge => io::Error::other("it is too large"),
        Refusal::Failed(words) => io::Error::other(words),
    }
}
