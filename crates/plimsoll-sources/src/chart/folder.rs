//! The host as the renderer sees it.

use super::reach::Reach;
use crate::host::{EntryKind, Host, Refusal};
use crate::search::join;
use plimsoll_chart::{Entry, Folder};
use plimsoll_yaml::MAX_FILE_BYTES;
use std::io;

/// A folder of the host.
pub(super) struct HostFolder<'h> {
    host: &'h dyn Host,
    root: &'h str,
    reach: Reach<'h>,
}

impl<'h> HostFolder<'h> {
    pub(super) fn new(host: &'h dyn Host, root: &'h str) -> Self {
        Self { host, root, reach: Reach::of(host, root) }
    }
}

impl Folder for HostFolder<'_> {
    fn list(&self, path: &str) -> io::Result<Vec<Entry>> {
        let folder = if path.is_empty() { self.root.to_owned() } else { join(self.root, path) };
        let entries = self.host.list(&folder).map_err(refused)?;
        if let Some(other) = entries.iter().find(|entry| entry.kind == EntryKind::Other) {
            return Err(io::Error::other(format!("{} is neither a file nor a folder", other.name)));
        }
        let entry = |entry: crate::host::Entry| {
            // Helm follows links, and the host tells of them only when it is asked for the path.
            let is_folder = self.host.look(&join(&folder, &entry.name)) == Ok(EntryKind::Folder);
            Entry { name: entry.name, is_folder }
        };
        Ok(entries.into_iter().map(entry).collect())
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let path = join(self.root, path);
        // What leads nowhere, or in a circle, is told in the words of the system.
        if self.host.look(&path).is_ok() && !self.reach.holds(&path) {
            return Err(io::Error::other(OUTSIDE));
        }
        self.host.read(&path, MAX_FILE_BYTES).map_err(refused)
    }
}

const OUTSIDE: &str = "a link leads out of the chart and its repository, and nothing there is read; copy the file into the chart";

fn refused(refusal: Refusal) -> io::Error {
    match refusal {
        Refusal::Missing => io::Error::from(io::ErrorKind::NotFound),
        Refusal::TooLarge => io::Error::other("it is too large"),
        Refusal::Failed(words) => io::Error::other(words),
    }
}
