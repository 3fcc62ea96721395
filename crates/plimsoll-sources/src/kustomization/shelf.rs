//! The files of a reading, as kustomizations ask for them.

use crate::chart::{Printout, fetched_text};
use crate::encoding::decode;
use crate::host::EntryKind;
use crate::reading::{Reading, cause_of};
use plimsoll_kustomize::{Files, Inflation, Opened, Standing};
use plimsoll_model::{File, FileIndex, Place, Premise};
use plimsoll_yaml::MAX_FILE_BYTES;
use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// The files of a reading; each is opened once in a build.
pub(super) struct Shelf<'r, 'h> {
    reading: &'r mut Reading<'h>,
    opened: HashMap<String, Opened>,
    /// What was printed for charts, each as the file it is taken for.
    printouts: HashMap<FileIndex, Printout>,
    /// What is known of files that are not fetched: where they are named, and what has to be true.
    fetched: HashMap<FileIndex, (Place, Arc<Premise>)>,
}

impl<'r, 'h> Shelf<'r, 'h> {
    pub(super) fn new(reading: &'r mut Reading<'h>) -> Self {
        Self { reading, opened: HashMap::new(), printouts: HashMap::new(), fetched: HashMap::new() }
    }

    pub(super) fn has_charts(&self) -> bool {
        !self.printouts.is_empty()
    }

    /// What has to be true for the objects that stand at these places.
    pub(super) fn premises(&self) -> HashMap<Place, Arc<Premise>> {
        self.fetched.values().cloned().collect()
    }

    /// Where a person wrote what stands at a place: in a template, if it was printed for a chart; where it is named, if it
    /// would be fetched.
    pub(super) fn origin(&mut self, place: Place) -> Place {
        if let Some((place, _)) = self.fetched.get(&place.file) {
            return *place;
        }
        match self.printouts.get_mut(&place.file) {
            Some(printout) => printout.origin(place, self.reading),
            None => place,
        }
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

    fn inflate(&mut self, inflation: &Inflation) -> Result<Opened, String> {
        let printout = Printout::of(inflation, self.reading).map_err(|(place, cause)| {
            let path = self.reading.bundle.files.path(place);
            format!("the chart `{}` is not read: {cause} ({path}:{})", inflation.folder, place.line)
        })?;
        let file = File { path: inflation.folder.as_str().into(), text: "".into(), hidden: Vec::new() };
        let index = self.reading.bundle.files.add(file);
        let bytes = printout.text.as_bytes().into();
        self.printouts.insert(index, printout);
        Ok(Opened { index, bytes })
    }

    fn fetch(&mut self, address: &str, place: Place) -> Option<Opened> {
        let (text, premise) = fetched_text(address, place, self.reading)?;
        let file = File { path: address.into(), text: "".into(), hidden: Vec::new() };
        let index = self.reading.bundle.files.add(file);
        self.fetched.insert(index, (place, premise));
        Some(Opened { index, bytes: text.as_bytes().into() })
    }

    fn text(&self, file: FileIndex) -> Option<Arc<str>> {
        self.reading.text(file)
    }

    fn hide(&mut self, file: FileIndex, lines: RangeInclusive<u32>) {
        match self.printouts.get_mut(&file) {
            Some(printout) => printout.hide(lines, self.reading),
            None => self.reading.hide(file, lines),
        }
    }

    fn place_of(&mut self, path: &str) -> Place {
        self.reading.place_of(path)
    }
}
