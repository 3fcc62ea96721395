//! Cuts rendered files into manifests, as Helm 4 (`pkg/release/v1/util/manifest.go`) and Helm 3 do
//! (`pkg/releaseutil/manifest.go`).

use crate::render::{HelmVersion, RenderedFile, Rendering};

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
        let manifests = files.flat_map(|(at, file)| file.manifests(at));
        manifests.map(|manifest| if self.helm == HelmVersion::Three { manifest.trimmed() } else { manifest })
    }
}

impl Manifest<'_> {
    /// Without blanks behind it, even those that belong to its last value, and with one line break: Helm 3 cuts so.
    fn trimmed(self) -> Self {
        let kept = self.text.trim_end().len();
        let line_break = self.text.get(kept..).is_some_and(|rest| rest.starts_with('\n'));
        Self { text: self.text.get(..kept + usize::from(line_break)).unwrap_or(self.text), ..self }
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
        // Both drop the blanks at the end of a file.
        found.extend(self.manifest(file, start, self.text.len()).map(Manifest::trimmed));
        found
    }

    fn manifest(&self, file: usize, start: usize, end: usize) -> Option<Manifest<'_>> {
        let text = self.text.get(start..end)?;
        let trimmed = text.trim_start();
        (!trimmed.is_empty()).then(|| Manifest { file, start: end - trimmed.len(), text: trimmed })
    }
}
