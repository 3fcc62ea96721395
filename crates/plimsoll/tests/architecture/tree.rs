//! The sources and manifests of the workspace.

use std::fs;
use std::path::{Path, PathBuf};

/// The top of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace")
}

/// One Rust file.
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) text: String,
}

/// Every Rust file of the workspace.
pub(crate) fn sources() -> impl Iterator<Item = Source> {
    let root = root();
    let mut found = Vec::new();
    for top in ["crates", "xtask"] {
        gather(&root.join(top), &mut found);
    }
    found.sort();
    found.into_iter().map(move |path| Source {
        text: fs::read_to_string(&path).expect("a source"),
        path: path.strip_prefix(&root).expect("inside").to_string_lossy().into_owned(),
    })
}

fn gather(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").filter_map(Result::ok) {
        let path = entry.path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
            gather(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// Each crate and the rooms it depends on outside its tests.
pub(crate) fn manifests() -> Vec<(String, Vec<String>)> {
    let root = root();
    let crates =
        fs::read_dir(root.join("crates")).expect("crates").filter_map(Result::ok).map(|entry| entry.path());
    crates
        .chain([root.join("xtask")])
        .map(|folder| {
            let text = fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
            let dependencies = text.split("[dependencies]").nth(1).unwrap_or_default();
            let dependencies = dependencies.split("\n[").next().unwrap_or_default();
            let rooms = dependencies.lines().filter(|line| line.starts_with("plimsoll"));
            let rooms = rooms.map(|line| line.split(['.', ' ', '=']).next().unwrap_or_default().to_owned());
            (folder.file_name().expect("a name").to_string_lossy().into_owned(), rooms.collect())
        })
        .collect()
}

impl Source {
    /// The text without its tests.
    pub(crate) fn product(&self) -> &str {
        self.text.split("#[cfg(test)]").next().unwrap_or_default()
    }

    /// Every function and its length, by indentation: a function ends at the brace under its first letter.
    pub(crate) fn functions(&self) -> Vec<(String, usize)> {
        let lines: Vec<&str> = self.text.lines().collect();
        let mut found = Vec::new();
        for (start, line) in lines.iter().enumerate() {
            let trimmed = line.trim_start();
            let indent = line.len() - trimmed.len();
            let words = ["pub ", "pub(crate) ", "pub(super) ", "const ", "async ", ""];
            let Some(rest) = words.iter().find_map(|word| trimmed.strip_prefix(word)?.strip_prefix("fn "))
            else {
                continue;
            };
            let closing = format!("{}}}", " ".repeat(indent));
            let end = lines[start..].iter().position(|line| *line == closing).unwrap_or(0);
            found.push((rest.split(['(', '<']).next().unwrap_or_default().to_owned(), end + 1));
        }
        found
    }

    /// The doc comment of a type.
    pub(crate) fn doc_of(&self, name: &str) -> Option<String> {
        let lines: Vec<&str> = self.text.lines().collect();
        let declared = |line: &str| {
            ["pub struct ", "pub enum "].iter().any(|start| {
                line.strip_prefix(start)
                    .is_some_and(|rest| rest.split([' ', '(', '<', ';']).next() == Some(name))
            })
        };
        let at = lines.iter().position(|line| declared(line))?;
        let mut doc: Vec<&str> = Vec::new();
        for line in lines[..at].iter().rev() {
            match line.strip_prefix("///") {
                Some(text) => doc.push(text.trim()),
                None if line.starts_with("#[") => {}
                None => break,
            }
        }
        doc.reverse();
        Some(doc.join(" "))
    }
}
