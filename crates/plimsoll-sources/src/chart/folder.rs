//! The host as the renderer sees it.

use super::reach::{Reach, is_inside};
use crate::host::{EntryKind, Host, Refusal};
use crate::search::join;
use plimsoll_chart::{Entry, Folder};
use plimsoll_yaml::MAX_FILE_BYTES;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A folder of the host.
pub(super) struct HostFolder<'h> {
    host: &'h dyn Host,
    root: &'h str,
    reach: Reach<'h>,
    /// Links that were met, and what may be one: only what stands behind one can be anywhere else.
    links: Mutex<Vec<String>>,
}

impl<'h> HostFolder<'h> {
    pub(super) fn new(host: &'h dyn Host, root: &'h str) -> Self {
        // This file is read before anything is listed.
        let links = Mutex::new(vec![join(root, ".helmignore")]);
        Self { host, root, reach: Reach::of(host, root), links }
    }

    fn links(&self) -> MutexGuard<'_, Vec<String>> {
        self.links.lock().unwrap_or_else(PoisonError::into_inner)
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
            if !entry.is_link {
                return Entry { is_folder: entry.kind == EntryKind::Folder, name: entry.name };
            }
            // Helm follows links.
            let path = join(&folder, &entry.name);
            let is_folder = self.host.look(&path) == Ok(EntryKind::Folder);
            self.links().push(path);
            Entry { name: entry.name, is_folder }
        };
        Ok(entries.into_iter().map(entry).collect())
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let path = join(self.root, path);
        let is_behind_link = self.links().iter().any(|link| is_inside(&path, link));
        // What leads nowhere, or in a circle, is told in the words of the system.
        if is_behind_link && self.host.look(&path).is_ok() && !self.reach.holds(&path) {
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
