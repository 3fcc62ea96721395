//! Files that a test holds in memory.

use super::{Entry, EntryKind, Host, Refusal};
use crate::script::paths::normal;
use std::collections::BTreeMap;

/// Files by their path, and what stands on standard input.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    files: BTreeMap<String, Vec<u8>>,
    input: Vec<u8>,
    programs: BTreeMap<String, String>,
    is_reversed: bool,
}

impl Memory {
    /// Files with these paths and texts.
    pub fn new<P: Into<String>, B: Into<Vec<u8>>>(files: impl IntoIterator<Item = (P, B)>) -> Self {
        let files = files.into_iter().map(|(path, bytes)| (path.into(), bytes.into())).collect();
        Self { files, ..Self::default() }
    }

    /// The same files, with this text on standard input.
    #[must_use]
    pub fn with_input(mut self, input: impl Into<Vec<u8>>) -> Self {
        self.input = input.into();
        self
    }

    /// The same files, and a program that prints this when it is called so.
    #[must_use]
    pub fn with_program(mut self, call: &str, output: &str) -> Self {
        self.programs.insert(call.to_owned(), output.to_owned());
        self
    }

    /// The same files, listed the other way round.
    #[must_use]
    pub fn reversed(mut self) -> Self {
        self.is_reversed = true;
        self
    }

    fn below<'a>(&'a self, folder: &str) -> impl Iterator<Item = &'a str> {
        let prefix = match folder.trim_end_matches('/') {
            "" if folder.starts_with('/') => "/".to_owned(),
            "" | "." => String::new(),
            folder => format!("{folder}/"),
        };
        self.files.keys().filter_map(move |path| path.strip_prefix(&prefix).filter(|rest| !rest.is_empty()))
    }
}

impl Host for Memory {
    fn look(&self, path: &str) -> Result<EntryKind, Refusal> {
        if self.files.contains_key(path) {
            return Ok(EntryKind::File);
        }
        if self.below(path).next().is_some() { Ok(EntryKind::Folder) } else { Err(Refusal::Missing) }
    }

    fn real(&self, path: &str) -> String {
        format!("/{}", normal(path).trim_start_matches('/'))
    }

    fn list(&self, folder: &str) -> Result<Vec<Entry>, Refusal> {
        let entry = |rest: &str| match rest.split_once('/') {
            Some((name, _)) => Entry { name: name.to_owned(), kind: EntryKind::Folder, is_link: false },
            None => Entry { name: rest.to_owned(), kind: EntryKind::File, is_link: false },
        };
        let mut entries: Vec<Entry> = self.below(folder).map(entry).collect();
        entries.sort();
        entries.dedup();
        if self.is_reversed {
            entries.reverse();
        }
        if entries.is_empty() { Err(Refusal::Missing) } else { Ok(entries) }
    }

    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, Refusal> {
        within(self.files.get(path).ok_or(Refusal::Missing)?, limit)
    }

    fn run(&self, program: &str, arguments: &[String]) -> Result<String, Refusal> {
        let call = format!("{program} {}", arguments.join(" "));
        self.programs.get(&call).cloned().ok_or(Refusal::Missing)
    }

    fn standard_input(&self, limit: u64) -> Result<Vec<u8>, Refusal> {
        within(&self.input, limit)
    }
}

fn within(bytes: &[u8], limit: u64) -> Result<Vec<u8>, Refusal> {
    if bytes.len() as u64 > limit { Err(Refusal::TooLarge) } else { Ok(bytes.to_vec()) }
}
