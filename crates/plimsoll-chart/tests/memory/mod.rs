//! A chart's folder that lies in memory.

use plimsoll_chart::{Entry, Folder};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, ErrorKind};

/// Files by path.
pub(crate) struct MemoryFolder(BTreeMap<String, Vec<u8>>);

impl MemoryFolder {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        Self(files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect())
    }
}

impl Folder for MemoryFolder {
    fn list(&self, path: &str) -> io::Result<Vec<Entry>> {
        let prefix = if path.is_empty() { String::new() } else { format!("{path}/") };
        let inside = self.0.keys().filter_map(|file| file.strip_prefix(&prefix));
        let entries: BTreeSet<Entry> = inside
            .map(|rest| match rest.split_once('/') {
                Some((name, _)) => Entry { name: name.to_owned(), is_folder: true },
                None => Entry { name: rest.to_owned(), is_folder: false },
            })
            .collect();
        Ok(entries.into_iter().collect())
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.0.get(path).cloned().ok_or_else(|| ErrorKind::NotFound.into())
    }
}
