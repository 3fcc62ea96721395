//! Cuts rendered files into manifests, as Helm 4 does (`pkg/release/v1/util/manifest.go`).

use crate::render::{RenderedFile, Rendering};

/// One document of a rendered file.
#[derive(Debug, Clone, Copy)]
pub struct Manifest<'r> {
    /// The position of the file it stands in.
    pub file: usize,
    /// Where it begins in the text of the file.
    pub start: usize,
    /// The text, without blanks before it.
    pub text: &'r str,
}

impl Rendering {
    /// All documents, file by file in the order of their names. What `NOTES.txt` says is no manifest.
    pub fn manifests(&self) -> impl Iterator<Item = Manifest<'_>> {
        let files = self.files.iter().enumerate().filter(|(_, file)| !file.name.ends_with("NOTES.txt"));
        files.flat_map(|(at, file)| file.manifests(at))
    }
}

impl RenderedFile {
    /// The documents of the file: cut at every line that begins with `---`, whatever stands behind.
    fn manifests(&self, file: usize) -> Vec<Manifest<'_>> {
        let body = self.text.trim_start().len();
        let mut start = self.text.len() - body;
        let mut found = Vec::new();
        let later = self.text.match_indices("\n---").map(|(at, _)| at + 1);
        let separators = self.text.get(start..).filter(|text| text.starts_with("---")).map(|_| start);
        for separator in separators.into_iter().chain(later.filter(|at| *at > self.text.len() - body)) {
            found.extend(self.manifest(file, start, separator));
            let rest = self.text.get(separator + 3..).unwrap_or_default();
            start = self.text.len() - rest.trim_start_matches([' ', '\t']).len();
        }
        found.extend(self.manifest(file, start, self.text.len()));
        found
    }

    fn manifest(&self, file: usize, start: usize, end: usize) -> Option<Manifest<'_>> {
        let text = self.text.get(start..end)?;
        let trimmed = text.trim_start();
        (!trimmed.is_empty()).then(|| Manifest { file, start: end - trimmed.len(), text: trimmed })
    }
}
