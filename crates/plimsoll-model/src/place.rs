//! Where something was said: file, line and column of what the user wrote.

use std::collections::HashMap;
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// A file of the bundle, by its position in [`Files`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct FileIndex(pub u32);

/// File, line and column where something was said; lines and columns count from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Place {
    /// The file, as a position in [`Files`].
    pub file: FileIndex,
    /// The line, from 1; 0 where only the file is known.
    pub line: u32,
    /// The column in characters, from 1; 0 where only the line is known.
    pub column: u32,
}

/// One file that was read, kept for snippets. `Debug` leaves its text out, since that may hold secret values.
#[derive(Clone)]
pub struct File {
    /// The path as the user would write it.
    pub path: Arc<str>,
    /// The text, without a byte order mark.
    pub text: Arc<str>,
    /// Lines that hold secret values and are never shown, from 1.
    pub hidden: Vec<RangeInclusive<u32>>,
}

/// All files of a bundle.
#[derive(Debug, Clone, Default)]
pub struct Files {
    files: Vec<File>,
    /// Where the values stand that templates print; nothing where a template prints several.
    values: HashMap<Place, Option<Place>>,
}

impl Files {
    /// Adds a file and returns its index.
    pub fn add(&mut self, file: File) -> FileIndex {
        let index = u32::try_from(self.files.len()).unwrap_or(u32::MAX);
        self.files.push(file);
        FileIndex(index)
    }

    /// The file at an index.
    #[must_use]
    pub fn get(&self, index: FileIndex) -> Option<&File> {
        self.files.get(index.0 as usize)
    }

    /// The path a place is in, or an empty text for a place outside every file.
    #[must_use]
    pub fn path(&self, place: Place) -> &str {
        self.get(place.file).map_or("", |file| &file.path)
    }

    /// The folder of the file of a place; empty if its path names none.
    #[must_use]
    pub fn folder(&self, place: Place) -> &str {
        self.path(place).rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// The source line at a place, unless it holds a secret value.
    #[must_use]
    pub fn line(&self, place: Place) -> Option<&str> {
        let file = self.get(place.file)?;
        if place.line == 0 || file.hidden.iter().any(|lines| lines.contains(&place.line)) {
            return None;
        }
        file.text.lines().nth(place.line as usize - 1)
    }

    /// Notes where the value stands that a template prints at a place.
    pub fn set_value(&mut self, at: Place, value: Place) {
        let known = self.values.entry(at).or_insert(Some(value));
        if *known != Some(value) {
            *known = None;
        }
    }

    /// Where the value stands that a template prints at a place, unless it prints several there, or a secret one.
    #[must_use]
    pub fn value_of(&self, at: Place) -> Option<Place> {
        self.line(at)?;
        *self.values.get(&at)?
    }

    /// Marks lines of a file as holding secret values.
    pub fn hide(&mut self, index: FileIndex, lines: RangeInclusive<u32>) {
        if let Some(file) = self.files.get_mut(index.0 as usize) {
            file.hidden.push(lines);
        }
    }

    /// Every file, in the order of reading.
    pub fn iter(&self) -> impl Iterator<Item = &File> {
        self.files.iter()
    }
}

impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("File").field("path", &self.path).field("hidden", &self.hidden).finish_non_exhaustive()
    }
}
