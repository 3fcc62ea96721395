//! What `plimsoll check` says of an example, asked as any other program would ask: by its JSON.

use super::failure::Failure;
use plimsoll_knowledge::page::{Example, SCRIPT};
use serde::Deserialize;
use std::path::Path;
use std::process::Command;

/// The part of a report that a play needs.
#[derive(Debug, Deserialize)]
pub(super) struct Asked {
    pub(super) findings: Vec<Finding>,
    pub(super) needs: Vec<Need>,
}

/// One pair of moments whose order can be broken.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Finding {
    pub(super) rule: String,
    pub(super) class: String,
    pub(super) consequence: String,
    pub(super) operation: String,
    pub(super) before: End,
    pub(super) after: End,
    pub(super) timeline: Vec<Instant>,
    /// Something, if it heals without anybody doing anything.
    pub(super) heals: Option<serde_json::Value>,
}

/// One side of a pair.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct End {
    pub(super) object: String,
    pub(super) milestone: String,
    #[serde(default)]
    pub(super) carriers: Vec<String>,
}

/// What somebody does at one point of a timeline.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Instant {
    pub(super) object: Option<String>,
    pub(super) answer: Option<String>,
}

/// Something that others must have put there before.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Need {
    pub(super) object: String,
}

impl Asked {
    /// Lets the program check an example that lies in a folder.
    pub(super) fn ask(
        program: &Path,
        example: &Example,
        folder: &Path,
        operation: Option<&str>,
    ) -> Result<Self, Failure> {
        let mut command = Command::new(program);
        command.current_dir(folder).args(["check", "-o", "json", "--pedantic", "--script", SCRIPT]);
        if let Some(operation) = operation {
            command.args(["--operation", operation]);
        }
        if let Some(path) = example.attribute("from") {
            command.args(["--from", path]);
        }
        if let Some(version) = example.attribute("kube") {
            command.args(["--kube-version", version]);
        }
        if example.attributes.iter().any(|word| word == "closed") {
            command.arg("--closed");
        }
        let output = command.output().map_err(Failure::program(&program.to_string_lossy()))?;
        serde_json::from_slice(&output.stdout)
            .map_err(|error| Failure::NoReport { example: example.name.clone(), cause: error.to_string() })
    }

    /// The findings of one rule.
    pub(super) fn of<'a>(&'a self, rule: &'a str) -> impl Iterator<Item = &'a Finding> {
        self.findings.iter().filter(move |finding| finding.rule == rule)
    }
}

impl Finding {
    /// Whether an upgrade takes something away that is still needed.
    pub(super) fn is_loss(&self) -> bool {
        self.operation == "upgrade" && self.after.milestone == "gone"
    }

    /// Whether the provider, or what makes it, is there when somebody complains, and does not come afterwards: then it lacks
    /// something, and no order helps.
    pub(super) fn is_in_time(&self) -> bool {
        let End { object: provider, carriers, .. } = &self.before;
        let told = self.timeline.iter().position(|instant| instant.answer.is_some()).unwrap_or_default();
        let (until, behind) = self.timeline.split_at(told);
        let is_told = |instants: &[Instant], of: &dyn Fn(&String) -> bool| {
            instants.iter().filter_map(|instant| instant.object.as_ref()).any(of)
        };
        is_told(until, &|object| object == provider)
            || (is_told(until, &|object| carriers.contains(object))
                && !is_told(behind, &|object| object == provider))
    }

    /// What is said when the order is broken.
    pub(super) fn answers(&self) -> impl Iterator<Item = &str> {
        self.timeline.iter().filter_map(|instant| instant.answer.as_deref())
    }
}
