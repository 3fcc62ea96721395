//! Files in memory or on the disk.

use plimsoll_kustomize::{Files, Inflation, Opened, Standing};
use plimsoll_model::{FileIndex, Place};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;

/// Files by their paths, and which of them were opened.
#[derive(Default)]
pub(crate) struct Memory {
    pub(crate) files: BTreeMap<String, Vec<u8>>,
    pub(crate) opened: Vec<String>,
    pub(crate) hidden: Vec<(FileIndex, RangeInclusive<u32>)>,
}

impl Memory {
    pub(crate) fn new(files: BTreeMap<String, Vec<u8>>) -> Self {
        Self { files, ..Self::default() }
    }

    /// Everything below a folder of the disk.
    pub(crate) fn of_folder(folder: &Path) -> Self {
        let mut files = BTreeMap::new();
        let mut waiting = vec![folder.to_path_buf()];
        while let Some(next) = waiting.pop() {
            for entry in std::fs::read_dir(&next).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    waiting.push(path);
                } else {
                    let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
                    files.insert(name, std::fs::read(&path).unwrap());
                }
            }
        }
        Self::new(files)
    }

    fn index(&mut self, path: &str) -> FileIndex {
        let known = self.opened.iter().position(|opened| opened == path);
        let at = known.unwrap_or_else(|| {
            self.opened.push(path.to_owned());
            self.opened.len() - 1
        });
        FileIndex(u32::try_from(at).unwrap())
    }
}

impl Files for Memory {
    fn look(&self, path: &str) -> Option<Standing> {
        if self.files.contains_key(path) {
            return Some(Standing::File);
        }
        let prefix = if path == "." { String::new() } else { format!("{path}/") };
        self.files.keys().any(|file| file.starts_with(&prefix)).then_some(Standing::Folder)
    }

    fn real(&self, path: &str) -> String {
        if path == "." { String::new() } else { format!("/{path}") }
    }

    fn open(&mut self, path: &str) -> Result<Opened, String> {
        let bytes = self.files.get(path).ok_or("missing")?.as_slice().into();
        Ok(Opened { index: self.index(path), bytes })
    }

    fn inflate(&mut self, inflation: &Inflation) -> Result<Opened, String> {
        Err(format!("{} is not rendered here", inflation.folder))
    }

    fn text(&self, file: FileIndex) -> Option<Arc<str>> {
        let path = self.opened.get(file.0 as usize)?;
        Some(String::from_utf8_lossy(self.files.get(path)?).into())
    }

    fn hide(&mut self, file: FileIndex, lines: RangeInclusive<u32>) {
        self.hidden.push((file, lines));
    }

    fn place_of(&mut self, path: &str) -> Place {
        Place { file: self.index(path), line: 0, column: 0 }
    }
}
