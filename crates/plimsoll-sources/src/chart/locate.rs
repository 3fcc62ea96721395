//! From places in what was rendered to places in the templates.

use crate::host::EntryKind;
use crate::reading::Reading;
use crate::search::join;
use plimsoll_chart::{Chart, Innermost, Rendering, ValueFile};
use plimsoll_model::{FileIndex, Node, Place, Value};
use plimsoll_yaml::Parsed;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A rendered chart, and the template line behind each place of the output.
pub(super) struct Locator {
    pub(super) path: String,
    chart: Chart,
    rendering: Arc<Rendering>,
    lines: FxHashMap<usize, Lines>,
    /// Templates by their paths: as the rendering has one of each, where it stands is enough.
    files: FxHashMap<*const u8, Option<FileIndex>>,
    /// Files of values likewise.
    values: FxHashMap<*const u8, FileIndex>,
}

/// Where the lines of a text begin.
pub(super) struct Lines(Vec<usize>);

impl Lines {
    pub(super) fn of(text: &str) -> Self {
        let later = text.match_indices('\n').map(|(at, _)| at + 1);
        Self(std::iter::once(0).chain(later).collect())
    }

    /// The place of a byte, in no file.
    pub(super) fn start_of(&self, text: &str, position: usize) -> Place {
        let line = self.0.partition_point(|start| *start <= position);
        let start = line.checked_sub(1).and_then(|line| self.0.get(line)).copied().unwrap_or(0);
        let before = text.get(start..position).unwrap_or_default();
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        Place { line: number(line), column: number(before.chars().count() + 1), ..Place::default() }
    }

    /// The byte at a place.
    fn position(&self, text: &str, place: Place) -> Option<usize> {
        let start = *self.0.get((place.line as usize).checked_sub(1)?)?;
        let characters = text.get(start..)?.char_indices();
        let column = (place.column as usize).saturating_sub(1);
        Some(characters.map(|(at, _)| start + at).nth(column).unwrap_or(start))
    }
}

impl Locator {
    pub(super) fn new(path: &str, chart: Chart, rendering: Arc<Rendering>) -> Self {
        Self {
            path: path.to_owned(),
            chart,
            rendering,
            lines: FxHashMap::default(),
            files: FxHashMap::default(),
            values: FxHashMap::default(),
        }
    }

    pub(super) fn rendering(&self) -> Arc<Rendering> {
        Arc::clone(&self.rendering)
    }

    /// The place of a byte in one of the rendered files.
    pub(super) fn start_of(&mut self, file: usize, position: usize) -> Place {
        let Some(rendered) = self.rendering.files.get(file) else { return Place::default() };
        let lines = self.lines.entry(file).or_insert_with(|| Lines::of(&rendered.text));
        lines.start_of(&rendered.text, position)
    }

    /// Moves everything that was read in a rendered file to the templates it came from. Lines that must not be shown
    /// are hidden there.
    pub(super) fn locate(&mut self, parsed: &mut Parsed, file: usize, reading: &mut Reading<'_>) {
        for line in std::mem::take(&mut parsed.hidden).into_iter().flatten() {
            let place = self.origin(file, Place { line, column: 1, ..Place::default() }, reading);
            reading.hide(place.file, place.line..=place.line);
            self.hide_values(file, line, reading);
        }
        for fault in &mut parsed.faults {
            fault.place = self.origin(file, fault.place, reading);
        }
        let mut locate = |place: &mut Place| *place = self.origin(file, *place, reading);
        parsed.documents.iter_mut().for_each(|document| each_place(&mut document.root, &mut locate));
    }

    /// Hides the lines of all values that a line of a rendered file holds.
    fn hide_values(&mut self, file: usize, line: u32, reading: &mut Reading<'_>) {
        let rendering = self.rendering();
        let Some(rendered) = rendering.files.get(file) else { return };
        let lines = self.lines.entry(file).or_insert_with(|| Lines::of(&rendered.text));
        let start = |line| lines.position(&rendered.text, Place { line, column: 1, ..Place::default() });
        let bytes = start(line).unwrap_or_default()..start(line + 1).unwrap_or(rendered.text.len());
        let found = bytes.filter_map(|position| rendering.place(rendered, position)?.value);
        let mut found: Vec<(&ValueFile, Place)> = found.collect();
        found.dedup();
        for (file, place) in found {
            let index = self.value_file(file, reading);
            reading.hide(index, place.line..=place.line);
        }
    }

    /// The innermost template line behind a place of a rendered file, if it stands in a file.
    pub(super) fn origin(&mut self, file: usize, place: Place, reading: &mut Reading<'_>) -> Place {
        let rendering = self.rendering();
        let found = rendering.files.get(file).and_then(|rendered| {
            let lines = self.lines.entry(file).or_insert_with(|| Lines::of(&rendered.text));
            let position = lines.position(&rendered.text, place)?;
            let Innermost { path, line, column, value } = rendering.place(rendered, position)?;
            let place = Place { file: self.file(path, reading)?, line, column };
            if let Some((file, value)) = value {
                let file = self.value_file(file, reading);
                reading.bundle.files.set_value(place, Place { file, ..value });
            }
            Some(place)
        });
        found.unwrap_or_else(|| reading.place_of(&self.path))
    }

    /// A file of values as a file of the bundle.
    fn value_file(&mut self, file: &ValueFile, reading: &mut Reading<'_>) -> FileIndex {
        if let Some(known) = self.values.get(&file.path.as_ptr()) {
            return *known;
        }
        let path = if file.is_of_chart { join(&self.path, &file.path) } else { file.path.to_string() };
        let is_on_disk = file.is_of_chart && reading.host().look(&path) == Ok(EntryKind::File);
        let opened = if is_on_disk { reading.open(&path) } else { None };
        let index = opened.unwrap_or_else(|| reading.place_of(&path).file);
        self.values.insert(file.path.as_ptr(), index);
        index
    }

    /// A template as a file of the bundle; its text is kept for snippets.
    pub(super) fn file(&mut self, below: &Arc<str>, reading: &mut Reading<'_>) -> Option<FileIndex> {
        let keep = || {
            let text = self.chart.file(below)?.text();
            Some(reading.keep(&join(&self.path, below), text))
        };
        *self.files.entry(below.as_ptr()).or_insert_with(keep)
    }
}

/// Goes to every place of a tree.
pub(crate) fn each_place(node: &mut Node, visit: &mut impl FnMut(&mut Place)) {
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
