//! The paths of a revision: files, the folders above them, and links.

use plimsoll_sources::{Entry, EntryKind};
use std::collections::BTreeMap;

/// A chain of links longer than this is a circle.
const MOST_LINKS: usize = 32;

/// Every file of a revision, by its path from the top.
#[derive(Debug, Default)]
pub(super) struct Tree(BTreeMap<String, Leaf>);

#[derive(Debug)]
struct Leaf {
    object: String,
    is_link: bool,
}

/// What stands at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Node<'a> {
    Folder,
    /// A file, and the object that holds its content.
    File(&'a str),
    /// A link, and the object that holds where it leads.
    Link(&'a str),
}

impl Tree {
    /// Reads what `git ls-tree -r -z` prints: `<mode> SP <type> SP <object> TAB <path> NUL`.
    pub(super) fn of(listed: &[u8]) -> Self {
        let lines = listed.split(|byte| *byte == 0).filter_map(|line| std::str::from_utf8(line).ok());
        let leaves = lines.filter_map(|line| {
            let (about, path) = line.split_once('\t')?;
            let [mode, "blob", object] = *about.split_whitespace().collect::<Vec<_>>().as_slice() else {
                return None;
            };
            Some((path.to_owned(), Leaf { object: object.to_owned(), is_link: mode == "120000" }))
        });
        Self(leaves.collect())
    }

    /// What stands at a path without links.
    fn node(&self, path: &str) -> Option<Node<'_>> {
        if path.is_empty() {
            return Some(Node::Folder);
        }
        match self.0.get(path) {
            Some(Leaf { object, is_link: true }) => Some(Node::Link(object)),
            Some(Leaf { object, is_link: false }) => Some(Node::File(object)),
            None => {
                let folder = format!("{path}/");
                let next = self.0.range(folder.clone()..).next();
                next.filter(|(path, _)| path.starts_with(&folder)).map(|_| Node::Folder)
            }
        }
    }

    /// What stands at a path, and its path once every link on the way was followed.
    pub(super) fn follow(
        &self,
        path: &str,
        read: impl Fn(&str) -> Option<String>,
    ) -> Option<(String, Node<'_>)> {
        let mut left: Vec<String> = parts(path);
        let mut done = String::new();
        let mut links = 0;
        while let Some(part) = left.pop() {
            let next = if done.is_empty() { part } else { format!("{done}/{part}") };
            match self.node(&next)? {
                Node::Link(object) => {
                    links += 1;
                    let target =
                        read(object).filter(|target| links <= MOST_LINKS && !target.starts_with('/'))?;
                    let folder = next.rsplit_once('/').map_or("", |(folder, _)| folder);
                    let whole = normal(&format!("{folder}/{target}"))?;
                    left.extend(parts(&whole));
                    done.clear();
                }
                Node::File(_) if !left.is_empty() => return None,
                Node::File(_) | Node::Folder => done = next,
            }
        }
        let node = self.node(&done)?;
        Some((done, node))
    }

    /// What a folder holds.
    pub(super) fn list(&self, folder: &str) -> Vec<Entry> {
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let below = self.0.range(prefix.clone()..).take_while(|(path, _)| path.starts_with(&prefix));
        let mut entries: Vec<Entry> = Vec::new();
        for (path, node) in below {
            let rest = path.strip_prefix(&prefix).unwrap_or(path);
            let (name, kind) = match rest.split_once('/') {
                Some((name, _)) => (name, EntryKind::Folder),
                None => (rest, EntryKind::File),
            };
            if entries.last().is_none_or(|last| last.name != name) {
                let is_link = kind == EntryKind::File && node.is_link;
                entries.push(Entry { name: name.to_owned(), kind, is_link });
            }
        }
        entries
    }
}

/// The parts of a path, last first.
fn parts(path: &str) -> Vec<String> {
    path.rsplit('/').filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// A path without `.` and `..`; nothing if it leads out.
pub(super) fn normal(path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LISTED: &[u8] =
        b"100644 blob 1\ta.yaml\x00100644 blob 2\tdir/b.yaml\x00120000 blob 3\tdir/link\x00\
        120000 blob 4\tout\x00160000 commit 5\tmodule\x00120000 blob 6\tround\x00";

    fn target(object: &str) -> Option<String> {
        [("3", "../a.yaml"), ("4", "../../x"), ("6", "round")]
            .iter()
            .find(|(known, _)| *known == object)
            .map(|(_, target)| (*target).to_owned())
    }

    #[test]
    fn files_folders_and_links_are_found() {
        let tree = Tree::of(LISTED);
        for (path, expected) in [
            ("", Some(("", Node::Folder))),
            ("a.yaml", Some(("a.yaml", Node::File("1")))),
            ("dir", Some(("dir", Node::Folder))),
            ("dir/link", Some(("a.yaml", Node::File("1")))),
            ("a.yaml/b", None),
            ("out", None),
            ("round", None),
            ("module", None),
            ("nowhere", None),
        ] {
            let found = tree.follow(path, target);
            assert_eq!(found.as_ref().map(|(path, node)| (path.as_str(), *node)), expected, "{path}");
        }
        let names = |folder| tree.list(folder).into_iter().map(|entry| entry.name).collect::<Vec<_>>();
        assert_eq!(names(""), ["a.yaml", "dir", "out", "round"]);
        assert_eq!(names("dir"), ["b.yaml", "link"]);
    }

    #[test]
    fn a_path_that_leads_out_is_none() {
        assert_eq!(normal("a/./b//../c").as_deref(), Some("a/c"));
        assert_eq!(normal("a/../.."), None);
    }
}
