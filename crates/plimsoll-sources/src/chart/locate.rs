//! From places in what was rendered to places in the templates.

use crate::reading::Reading;
use crate::search::join;
use plimsoll_chart::{Chart, RenderedFile, Rendering};
use plimsoll_model::{FileIndex, Node, Place, Value};
use plimsoll_yaml::Parsed;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Finds the template line behind a place of the output.
pub(super) struct Locator<'r> {
    path: &'r str,
    chart: &'r Chart,
    pub(super) rendering: &'r Rendering,
    files: FxHashMap<Arc<str>, Option<FileIndex>>,
}

/// Where the lines of a rendered file begin.
pub(super) struct Lines<'r> {
    text: &'r str,
    starts: Vec<usize>,
}

impl<'r> Lines<'r> {
    pub(super) fn of(text: &'r str) -> Self {
        let later = text.match_indices('\n').map(|(at, _)| at + 1);
        Self { text, starts: std::iter::once(0).chain(later).collect() }
    }

    /// The place of a byte, in no file.
    pub(super) fn start_of(&self, position: usize) -> Place {
        let line = self.starts.partition_point(|start| *start <= position);
        let start = line.checked_sub(1).and_then(|line| self.starts.get(line)).copied().unwrap_or(0);
        let before = self.text.get(start..position).unwrap_or_default();
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Place { line: number(line), column: number(before.chars().count() + 1), ..Place::default() }
    }

    /// The byte at a place.
    fn position(&self, place: Place) -> Option<usize> {
        let start = *self.starts.get((place.line as usize).checked_sub(1)?)?;
        let characters = self.text.get(start..)?.char_indices();
        let column = (place.column as usize).saturating_sub(1);
        Some(characters.map(|(at, _)| start + at).nth(column).unwrap_or(start))
    }
}

impl<'r> Locator<'r> {
    pub(super) fn new(path: &'r str, chart: &'r Chart, rendering: &'r Rendering) -> Self {
        Self { path, chart, rendering, files: FxHashMap::default() }
    }

    /// Moves everything that was read to the templates it came from. Lines that must not be shown are hidden there.
    pub(super) fn locate(
        &mut self,
        parsed: &mut Parsed,
        file: &RenderedFile,
        lines: &Lines<'_>,
        reading: &mut Reading<'_>,
    ) {
        for hidden in std::mem::take(&mut parsed.hidden).into_iter().flatten() {
            let place =
                self.origin(Place { line: hidden, column: 1, ..Place::default() }, file, lines, reading);
            reading.hide(place.file, place.line..=place.line);
        }
        for fault in &mut parsed.faults {
            fault.place = self.origin(fault.place, file, lines, reading);
        }
        let mut locate = |place: &mut Place| *place = self.origin(*place, file, lines, reading);
        parsed.documents.iter_mut().for_each(|document| each_place(&mut document.root, &mut locate));
    }

    /// The innermost template line that stands in a file.
    fn origin(
        &mut self,
        place: Place,
        file: &RenderedFile,
        lines: &Lines<'_>,
        reading: &mut Reading<'_>,
    ) -> Place {
        let origin = lines.position(place).and_then(|position| self.rendering.origin(file, position));
        let mut sites = origin.iter().flat_map(|origin| &origin.sites);
        let found = sites.find_map(|site| Some((self.file(site.path.as_ref()?, reading)?, site)));
        let at = |(file, site): (FileIndex, &plimsoll_chart::Site)| Place {
            file,
            line: site.line,
            column: site.column,
        };
        found.map_or_else(|| reading.place_of(self.path), at)
    }

    /// A template as a file of the bundle; its text is kept for snippets.
    fn file(&mut self, below: &Arc<str>, reading: &mut Reading<'_>) -> Option<FileIndex> {
        let (path, chart) = (self.path, self.chart);
        let keep = || {
            let text = String::from_utf8_lossy(chart.content(below)?);
            Some(reading.keep(&join(path, below), &text))
        };
        *self.files.entry(Arc::clone(below)).or_insert_with(keep)
    }
}

/// Goes to every place of a tree.
pub(super) fn each_place(node: &mut Node, visit: &mut impl FnMut(&mut Place)) {
    visit(&mut node.place);
    match &mut node.value {
        Value::List(items) => items.iter_mut().for_each(|item| each_place(item, visit)),
        Value::Map(entries) => {
            for (key, value) in entries {
                visit(&mut key.place);
                each_place(value, visit);
            }
        }
        _ => {}
    }
}
