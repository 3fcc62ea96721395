//! The files of a reading, as kustomizations ask for them.

use crate::encoding::decode;
use crate::host::EntryKind;
use crate::reading::{Reading, cause_of};
use plimsoll_kustomize::{Files, Opened, Standing};
use plimsoll_model::{File, FileIndex, Place};
use plimsoll_yaml::MAX_FILE_BYTES;
use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// The files of a reading; each is opened once in a build.
pub(super) struct Shelf<'r, 'h> {
    reading: &'r mut Reading<'h>,
    opened: HashMap<String, Opened>,
}

impl<'r, 'h> Shelf<'r, 'h> {
    pub(super) fn new(reading: &'r mut Reading<'h>) -> Self {
        Self { reading, opened: HashMap::new() }
    }
}

impl Files for Shelf<'_, '_> {
    fn look(&self, path: &str) -> Option<Standing> {
        match self.reading.host().look(path).ok()? {
            EntryKind::Folder => Some(Standing::Folder),
            _ => Some(Standing::File),
        }
    }

    fn real(&self, path: &str) -> String {
        self.reading.host().real(path)
    }

    fn open(&mut self, path: &str) -> Result<Opened, String> {
        if let Some(opened) = self.opened.get(path) {
            return Ok(opened.clone());
        }
        let bytes = self.reading.host().read(path, MAX_FILE_BYTES).map_err(|refusal| cause_of(&refusal))?;
        let kept: Arc<[u8]> = bytes.as_slice().into();
        // What is no text has no lines to show.
        let text: Arc<str> = decode(bytes).unwrap_or_default().into();
        let file = File { path: path.into(), text, hidden: Vec::new() };
        let opened = Opened { index: self.reading.bundle.files.add(file), bytes: kept };
        self.opened.insert(path.to_owned(), opened.clone());
        Ok(opened)
    }

    fn text(&self, file: FileIndex) -> Option<Arc<str>> {
        self.reading.text(file)
    }

    fn hide(&mut self, file: FileIndex, lines: RangeInclusive<u32>) {
        self.reading.hide(file, lines);
    }

    fn place_of(&mut self, path: &str) -> Place {
        self.reading.place_of(path)
    }
}
