//! Which files a path stands for, in the order in which kubectl reads them.
//!
//! Read from `k8s.io/cli-runtime` v0.36.4 `pkg/resource/visitor.go` (`ExpandPathsToFileVisitors`) and `builder.go`
//! (`FileExtensions`): a folder is walked with Go's `filepath.Walk`, so files and folders of one folder come in the
//! order of their names, byte by byte; only `.json`, `.yaml` and `.yml` are read, but a file that is named is read
//! whatever its ending.

use crate::claim::{Claim, claim};
use crate::host::{Entry, EntryKind, Refusal};
use crate::ignored::{FILE_NAME, Ignored, leaves_out};
use crate::pages;
use crate::reading::Reading;
use plimsoll_model::Place;
use plimsoll_yaml::MAX_FILE_BYTES;
use std::rc::Rc;

/// How paths become objects.
#[derive(Debug, Clone)]
pub struct Search {
    /// Whether folders inside a folder are read too.
    pub is_recursive: bool,
    /// How a folder is looked at.
    pub habit: Habit,
    /// Patterns in gitignore syntax for what is left out below each path.
    pub exclude: Vec<String>,
    /// The namespace of namespaced objects that name none.
    pub namespace: String,
}

/// How a folder is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Habit {
    /// As kubectl does: every file with the right ending, hidden folders and charts included.
    Kubectl,
    /// As a person means it: `.plimsollignore` holds, hidden folders are passed over, a folder that is a chart or another
    /// form of input is named and not read, and a kustomization is left to its own reader.
    Survey,
}

/// kubectl fails on such a folder too (`builder.go`, `Builder.Path`).
const NOTHING_THERE: &str =
    "no .json, .yaml or .yml file is here to be read; check the path and what is left out";

/// Opening such a thing may never end.
const NO_FILE: &str = "this is neither a file nor a folder; take it away, or leave it out with --exclude";

/// A folder that is still to be read, or a file that was found.
struct Waiting {
    path: String,
    kind: EntryKind,
    ignored: Rc<[Ignored]>,
    /// Whether it lies in a kustomization, so that only further kustomizations are looked for.
    is_claimed: bool,
}

impl Reading<'_> {
    /// The files that a path stands for.
    pub(crate) fn find(&mut self, path: &str, search: &Search) -> Vec<String> {
        match self.host().look(path) {
            Ok(EntryKind::File | EntryKind::Other) => vec![path.to_owned()],
            Ok(EntryKind::Folder) => {
                let said = self.bundle.problems.len();
                let found = self.walk(path, search);
                if found.is_empty() && self.bundle.problems.len() == said && !self.has_met() {
                    let place = self.place_of(path);
                    self.problem(place, NOTHING_THERE.to_owned(), true);
                }
                found
            }
            Err(refusal) => {
                self.refused(path, &refusal);
                Vec::new()
            }
        }
    }

    fn walk(&mut self, root: &str, search: &Search) -> Vec<String> {
        let ignored = self.ignored_above(root, search);
        let mut waiting =
            vec![Waiting { path: root.to_owned(), kind: EntryKind::Folder, ignored, is_claimed: false }];
        let mut found = Vec::new();
        while let Some(next) = waiting.pop() {
            match next.kind {
                EntryKind::File => found.push(next.path),
                EntryKind::Other => {
                    let place = self.place_of(&next.path);
                    self.problem(place, NO_FILE.to_owned(), true);
                }
                EntryKind::Folder => {
                    let inside = self.open_folder(&next, next.path == root, search);
                    // The stack gives back what was put last.
                    waiting.extend(inside.into_iter().rev());
                }
            }
        }
        found
    }

    /// What is to be read inside a folder, in the order of names.
    fn open_folder(&mut self, folder: &Waiting, is_root: bool, search: &Search) -> Vec<Waiting> {
        let mut entries = match self.host().list(&folder.path) {
            Ok(entries) => entries,
            Err(refusal) => {
                self.refused(&folder.path, &refusal);
                return Vec::new();
            }
        };
        entries.sort();
        let mut ignored = Rc::clone(&folder.ignored);
        let mut is_claimed = folder.is_claimed;
        if search.habit == Habit::Survey {
            match claim(&entries) {
                Some(Claim::Kustomization) => {
                    self.met(&folder.path);
                    is_claimed = true;
                }
                Some(_) if is_claimed => return Vec::new(),
                Some(claim) => {
                    self.claimed(&folder.path, claim);
                    return Vec::new();
                }
                None => {}
            }
            let pages =
                entries.iter().filter(|entry| entry.kind == EntryKind::File && pages::is_one(&entry.name));
            pages.for_each(|page| self.met_page(join(&folder.path, &page.name)));
            if !is_root && entries.iter().any(|entry| entry.name == FILE_NAME) {
                let more = self.ignore_file(&folder.path);
                ignored = ignored.iter().cloned().chain(more).collect();
            }
        }
        let is_wanted = |entry: &Entry| match entry.kind {
            EntryKind::File | EntryKind::Other => !is_claimed && has_manifest_ending(&entry.name),
            EntryKind::Folder => {
                search.is_recursive && (search.habit == Habit::Kubectl || !entry.name.starts_with('.'))
            }
        };
        let wanted = entries.into_iter().filter(is_wanted);
        let inside = wanted.map(|Entry { name, kind, .. }| Waiting {
            path: join(&folder.path, &name),
            kind,
            ignored: Rc::clone(&ignored),
            is_claimed,
        });
        inside.filter(|entry| !leaves_out(&ignored, &entry.path, entry.kind == EntryKind::Folder)).collect()
    }

    /// The patterns that hold in a folder because of `--exclude` and of the ignore files in it and above it.
    fn ignored_above(&mut self, root: &str, search: &Search) -> Rc<[Ignored]> {
        let mut ignored = Vec::new();
        if search.habit == Habit::Survey {
            for folder in folders_above(root) {
                ignored.extend(self.ignore_file(folder));
            }
        }
        let base = if root == "." { "" } else { root };
        let (excluded, broken) = Ignored::new(base, search.exclude.iter().map(String::as_str));
        for number in broken {
            let index = usize::try_from(number).unwrap_or_default().saturating_sub(1);
            let pattern = search.exclude.get(index).map_or("", String::as_str);
            let cause = format!("`{pattern}` is not a pattern; write it as in a .gitignore file");
            let place = self.place_of(root);
            self.problem(place, cause, true);
        }
        ignored.push(excluded);
        ignored.into()
    }

    fn ignore_file(&mut self, folder: &str) -> Option<Ignored> {
        let path = join(folder, FILE_NAME);
        let bytes = match self.host().read(&path, MAX_FILE_BYTES) {
            Ok(bytes) => bytes,
            Err(Refusal::Missing) => return None,
            Err(refusal) => {
                self.refused(&path, &refusal);
                return None;
            }
        };
        let text = String::from_utf8_lossy(&bytes);
        let base = if folder == "." { "" } else { folder };
        let (ignored, broken) = Ignored::new(base, text.lines());
        for line in broken {
            let place = Place { line, ..self.place_of(&path) };
            self.problem(
                place,
                "this line is not a pattern; write it as in a .gitignore file".to_owned(),
                false,
            );
        }
        Some(ignored)
    }
}

fn has_manifest_ending(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, ending)| matches!(ending, "json" | "yaml" | "yml"))
}

/// A path inside a folder, as Go's `filepath.Join` writes it.
pub(crate) fn join(folder: &str, name: &str) -> String {
    let trimmed = folder.strip_prefix("./").unwrap_or(folder);
    match trimmed.trim_end_matches('/') {
        "" if folder.starts_with('/') => format!("/{name}"),
        "" | "." => name.to_owned(),
        trimmed => format!("{trimmed}/{name}"),
    }
}

/// The folders whose ignore files hold in a folder: those on the way to it from here, and itself.
fn folders_above(root: &str) -> Vec<&str> {
    let root = root.strip_prefix("./").unwrap_or(root).trim_end_matches('/');
    if root.starts_with('/') || root.split('/').any(|part| part == "..") {
        return vec![root];
    }
    let mut folders = vec!["."];
    if !root.is_empty() && root != "." {
        folders.extend(root.match_indices('/').filter_map(|(at, _)| root.get(..at)));
        folders.push(root);
    }
    folders
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::Memory;

    fn check(habit: Habit, is_recursive: bool, files: &[&str], expect: &[&str]) {
        let host = Memory::new(files.iter().map(|path| (*path, *b"a.gen.yaml\nold/\n")));
        let search =
            Search { is_recursive, habit, exclude: vec!["skip*".to_owned()], namespace: String::new() };
        for host in [host.clone(), host.reversed()] {
            let mut reading = Reading::new(&host);
            assert_eq!(reading.find("k", &search), expect);
        }
    }

    #[test]
    fn files_and_folders_come_in_the_order_of_names() {
        let files =
            ["k/b/z.yaml", "k/b.yaml", "k/a.json", "k/B.yml", "k/read.me", "k/skip.yaml", "k/b/a.YAML"];
        check(Habit::Survey, true, &files, &["k/B.yml", "k/a.json", "k/b/z.yaml", "k/b.yaml"]);
        check(Habit::Survey, false, &files, &["k/B.yml", "k/a.json", "k/b.yaml"]);
    }

    #[test]
    fn a_survey_passes_over_what_kubectl_reads() {
        let files = [
            "k/.git/a.yaml",
            "k/x/Chart.yaml",
            "k/x/b.yaml",
            "k/.plimsollignore",
            "k/a.gen.yaml",
            "k/old/c.yaml",
        ];
        check(Habit::Survey, true, &files, &[]);
        let all = ["k/.git/a.yaml", "k/a.gen.yaml", "k/old/c.yaml", "k/x/Chart.yaml", "k/x/b.yaml"];
        check(Habit::Kubectl, true, &files, &all);
    }

    #[test]
    fn ignore_files_above_a_path_hold() {
        assert_eq!(folders_above("./a/b/"), [".", "a", "a/b"]);
        assert_eq!(folders_above("."), ["."]);
        assert_eq!(folders_above("../x"), ["../x"]);
        assert_eq!(folders_above("/x/y"), ["/x/y"]);
    }
}
