//! The only door to files, and where a kustomization may look for them
//! (`sigs.k8s.io/kustomize/api` v0.21.1, `internal/loader/fileloader.go`, `internal/loader/loadrestrictions.go`).

use crate::inflation::Inflation;
use crate::refusal::Refusal;
use plimsoll_model::{FileIndex, Place};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Where kustomizations get their files from.
pub trait Files {
    /// What stands at a path; links are followed.
    fn look(&self, path: &str) -> Option<Standing>;

    /// The path without links, from the root.
    fn real(&self, path: &str) -> String;

    /// Opens a file, or says why that cannot be done.
    fn open(&mut self, path: &str) -> Result<Opened, String>;

    /// The text of a file that was opened.
    fn text(&self, file: FileIndex) -> Option<Arc<str>>;

    /// Renders a chart and gives what Helm would print, as a file.
    fn inflate(&mut self, inflation: &Inflation) -> Result<Opened, String>;

    /// What is known of a file that kustomize would fetch from the network: outlines of its objects. Nothing if nobody
    /// knows it.
    fn fetch(&mut self, _address: &str, _place: Place) -> Option<Opened> {
        None
    }

    /// Lines of an open file hold secret values.
    fn hide(&mut self, file: FileIndex, lines: RangeInclusive<u32>);

    /// A place that is a path as a whole.
    fn place_of(&mut self, path: &str) -> Place;
}

/// What stands at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// A file.
    File,
    /// A folder.
    Folder,
}

/// A file that was opened.
#[derive(Debug, Clone)]
pub struct Opened {
    /// Which file it is.
    pub index: FileIndex,
    /// What is in it.
    pub bytes: Arc<[u8]>,
}

/// The three names that kustomize looks for: `konfig/general.go`.
pub const KUSTOMIZATION_NAMES: [&str; 3] = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

/// The folder that a kustomization stands in, and those on the way to it.
#[derive(Debug, Clone)]
pub(crate) struct Root {
    /// The folder as a person would write it.
    pub(crate) folder: String,
    /// The folder without links, and those that lead to it, the innermost first.
    real: Vec<String>,
    is_restricted: bool,
}

impl Root {
    pub(crate) fn new(files: &dyn Files, folder: &str, is_restricted: bool) -> Self {
        Self { folder: normal(folder), real: vec![files.real(folder)], is_restricted }
    }

    /// The file at a path; a file outside the folder is refused.
    pub(crate) fn open(&self, files: &mut dyn Files, path: &str, place: Place) -> Result<Opened, Refusal> {
        let found = self.path(path);
        match files.look(shown(&found)) {
            None if is_url(path) => return Err(Refusal::new(place, NOT_FETCHED)),
            None => return Err(Refusal::new(place, format!("there is no file `{path}`"))),
            Some(Standing::Folder) => {
                return Err(Refusal::new(place, "this is a folder, and a file is needed"));
            }
            Some(Standing::File) => {}
        }
        if self.is_restricted && !self.holds(files, &found) {
            return Err(Refusal::new(place, OUTSIDE));
        }
        files.open(&found).map_err(|cause| Refusal::new(place, cause))
    }

    /// The folder at a path; one that leads to this one is refused.
    pub(crate) fn enter(&self, files: &dyn Files, path: &str, place: Place) -> Result<Root, Refusal> {
        let refused = |cause: &str| Err(Refusal::new(place, cause));
        let folder = self.path(path);
        let standing = files.look(shown(&folder));
        if standing != Some(Standing::Folder) {
            return refused(if is_remote(path) {
                NOT_FETCHED
            } else if standing.is_none() {
                "there is no such file or folder"
            } else {
                "this is a file, and a folder is needed"
            });
        }
        if path.starts_with('/') {
            return refused("kustomize refuses a folder with an absolute path");
        }
        let real = files.real(shown(&folder));
        if self.real.iter().any(|outer| is_inside(outer, &real)) {
            return refused("kustomize refuses a folder that holds the one it is listed in");
        }
        let real = std::iter::once(real).chain(self.real.iter().cloned()).collect();
        Ok(Root { folder, real, is_restricted: self.is_restricted })
    }

    /// A path seen from this folder.
    pub(crate) fn path(&self, path: &str) -> String {
        if path.starts_with('/') || self.folder.is_empty() {
            return normal(path);
        }
        normal(&format!("{}/{path}", self.folder))
    }

    fn holds(&self, files: &dyn Files, path: &str) -> bool {
        self.real.first().is_some_and(|root| is_inside(&files.real(path), root))
    }
}

/// What is said of a base on another machine.
pub(crate) const NOT_FETCHED: &str =
    "nothing is fetched from the network; download it and list the folder, then it is read too";

const OUTSIDE: &str = "kustomize refuses a file outside the folder of its kustomization";

/// Whether a path names something on another machine: a URL, `github.com/…`, `git@…`.
pub(crate) fn is_remote(path: &str) -> bool {
    let host = path.split(['/', ':']).next().unwrap_or_default();
    is_url(path)
        || path.contains("::")
        || path.contains("?ref=")
        || (path.contains('@') && path.contains(':'))
        || ["gh", "github.com", "gitlab.com", "bitbucket.org"].contains(&host)
}

fn is_url(path: &str) -> bool {
    path.contains("://")
}

/// Whether a path is a folder or lies in it.
fn is_inside(path: &str, folder: &str) -> bool {
    let rest = path.strip_prefix(folder.trim_end_matches('/'));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// A path as the host takes it.
pub(crate) fn shown(path: &str) -> &str {
    if path.is_empty() { "." } else { path }
}

/// The path without `.`, `//` and `x/..`; the current folder is the empty text.
#[must_use]
pub fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if path.starts_with('/') => {}
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    if path.starts_with('/') { format!("/{joined}") } else { joined }
}
