//! Reads the files of a folder, without those that `.helmignore` names.

use super::ignore::Rules;
use super::{ChartFailure, ChartFile, Folder};
use rayon::prelude::*;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The largest chart that Helm 4 takes (`pkg/chart/loader/archive/archive.go`, `MaxDecompressedChartSize`).
pub(super) const MAX_CHART_BYTES: usize = 100 << 20;
/// How deep folders may stand in each other.
const MAX_DEPTH: usize = 64;
/// How many files and folders are looked at: links can make few of them many.
const MAX_ENTRIES: usize = 100_000;

/// All files, in the order of their paths.
pub(super) fn files(folder: &dyn Folder) -> Result<Vec<ChartFile>, ChartFailure> {
    let rules = match folder.read(".helmignore") {
        Ok(text) => Rules::parse(&String::from_utf8_lossy(&text))?,
        Err(_) => Rules::default(),
    };
    let mut walker = Walker { folder, rules, paths: Vec::new(), entries: 0 };
    walker.walk("", 0)?;
    let bytes = AtomicUsize::new(0);
    let read = |path: &String| {
        let content = folder.read(path).map_err(|error| unreadable(path, &error))?;
        if bytes.fetch_add(content.len(), Ordering::Relaxed) + content.len() > MAX_CHART_BYTES {
            return Err(ChartFailure::TooLarge { limit: MAX_CHART_BYTES >> 20 });
        }
        Ok(ChartFile::new(path, &content))
    };
    walker.paths.par_iter().map(read).collect()
}

fn unreadable(path: &str, error: &io::Error) -> ChartFailure {
    ChartFailure::Unreadable { path: path.to_owned(), cause: error.to_string() }
}

/// Finds the files.
struct Walker<'f> {
    folder: &'f dyn Folder,
    rules: Rules,
    paths: Vec<String>,
    entries: usize,
}

impl Walker<'_> {
    fn walk(&mut self, path: &str, depth: usize) -> Result<(), ChartFailure> {
        if depth > MAX_DEPTH {
            let cause = format!("folders stand more than {MAX_DEPTH} deep in each other");
            return Err(ChartFailure::Unreadable { path: path.to_owned(), cause });
        }
        let mut entries = self.folder.list(path).map_err(|error| unreadable(path, &error))?;
        entries.sort();
        self.entries += entries.len();
        if self.entries > MAX_ENTRIES {
            let cause = format!("the chart has more than {MAX_ENTRIES} files; look for links in a circle");
            return Err(ChartFailure::Unreadable { path: path.to_owned(), cause });
        }
        for entry in entries {
            let inner = if path.is_empty() { entry.name } else { format!("{path}/{}", entry.name) };
            if self.rules.ignore(&inner, entry.is_folder) {
                continue;
            }
            if entry.is_folder {
                self.walk(&inner, depth + 1)?;
            } else {
                self.paths.push(inner);
            }
        }
        Ok(())
    }
}

impl ChartFile {
    /// A file.
    pub(crate) fn new(path: &str, content: &[u8]) -> Self {
        Self { path: path.into(), content: content.into() }
    }
}
