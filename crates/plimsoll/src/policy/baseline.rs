//! A baseline: findings that were there when it was written. New ones fail; those that are gone can only be taken out.

use super::{Ruling, Standing};
use crate::failure::Failure;
use plimsoll_model::Finding;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The format that is read and written.
const SCHEMA: &str = "plimsoll.baseline/v1";

/// A larger file is no baseline.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// Findings that were there when it was written, by fingerprint.
#[derive(Debug, Clone, Default)]
pub(crate) struct Baseline {
    path: PathBuf,
    entries: BTreeMap<String, Entry>,
}

/// What people are told of an entry; only the fingerprint counts.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Entry {
    fingerprint: String,
    rule: String,
    message: String,
}

#[derive(Serialize, Deserialize)]
struct Document {
    schema: String,
    findings: Vec<Entry>,
}

impl Baseline {
    /// Reads a baseline. One of another format is refused: nobody knows what its fingerprints mean.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let refuse =
            |cause: String| Failure::usage(format!("cannot use the baseline {}: {cause}", path.display()));
        let metadata = std::fs::metadata(path).map_err(|error| {
            refuse(error.to_string()).hint("`--write-baseline` writes one with every finding of today")
        })?;
        if metadata.len() > MOST_BYTES {
            return Err(refuse("it is larger than 64 MiB".to_owned()));
        }
        let text = std::fs::read_to_string(path).map_err(|error| refuse(error.to_string()))?;
        let again = "write it anew with `--write-baseline`, or use the program that wrote it";
        let value: serde_json::Value =
            serde_json::from_str(&text).map_err(|error| refuse(error.to_string()).hint(again))?;
        match value.get("schema").and_then(serde_json::Value::as_str) {
            Some(SCHEMA) => {}
            Some(other) => {
                return Err(refuse(format!("its format is {other}, and {SCHEMA} is read")).hint(again));
            }
            None => return Err(refuse("it does not say its format".to_owned()).hint(again)),
        }
        let document: Document =
            serde_json::from_value(value).map_err(|error| refuse(error.to_string()).hint(again))?;
        let entries = document.findings.into_iter().map(|entry| (entry.fingerprint.clone(), entry));
        Ok(Self { path: path.to_owned(), entries: entries.collect() })
    }

    /// A baseline of everything that is told.
    pub(crate) fn of(path: &Path, findings: &[Finding], rulings: &[Ruling]) -> Self {
        let told =
            findings.iter().zip(rulings).filter(|(_, ruling)| matches!(ruling.standing, Standing::Told(_)));
        let entries = told.map(|(finding, ruling)| Entry {
            fingerprint: ruling.fingerprint.clone(),
            rule: finding.rule.0.to_owned(),
            message: finding.message.clone(),
        });
        let entries = entries.map(|entry| (entry.fingerprint.clone(), entry)).collect();
        Self { path: path.to_owned(), entries }
    }

    /// The same without what is gone.
    pub(crate) fn without_gone(mut self, rulings: &[Ruling]) -> Self {
        let found = names(rulings);
        self.entries.retain(|fingerprint, _| found.contains(fingerprint.as_str()));
        self
    }

    /// The text of the file: sorted, so that a change shows what came and went.
    pub(crate) fn text(&self) -> Result<String, serde_json::Error> {
        let findings = self.entries.values().cloned().collect();
        let mut text = serde_json::to_string_pretty(&Document { schema: SCHEMA.to_owned(), findings })?;
        text.push('\n');
        Ok(text)
    }

    /// Where it is kept.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether a finding was there.
    pub(super) fn has(&self, fingerprint: &str) -> bool {
        self.entries.contains_key(fingerprint)
    }

    /// What is not found any more, in words; nothing if everything is.
    pub(super) fn gone(&self, rulings: &[Ruling]) -> Option<String> {
        let found = names(rulings);
        let gone = self.entries.values().filter(|entry| !found.contains(entry.fingerprint.as_str()));
        let gone: Vec<String> = gone.map(|entry| format!("{} {}", entry.rule, entry.message)).collect();
        let first = gone.first()?;
        Some(match gone.len() {
            1 => format!("a finding of the baseline is gone ({first}); `--update-baseline` takes it out"),
            count => {
                let more = count - 1;
                format!(
                    "{count} findings of the baseline are gone ({first}, and {more} more); `--update-baseline` takes them out"
                )
            }
        })
    }
}

fn names(rulings: &[Ruling]) -> FxHashSet<&str> {
    rulings.iter().map(|ruling| ruling.fingerprint.as_str()).collect()
}
