//! Annotations of GitHub's workflows: `::error file=…,line=…::…`, one for each root, worst first.
//!
//! The commands and their escapes: `actions/toolkit`, `packages/core/src/command.ts`.

use super::Report;
use super::root::{self, Root};
use crate::policy::Level;
use plimsoll_model::{Files, Place};
use std::fmt::Write as _;

/// The report as commands of a workflow, one a line.
pub(crate) fn write(report: &Report<'_>) -> String {
    let files = &report.bundle.files;
    let mut text = String::new();
    for root in root::group(report.told()) {
        text.push_str(&annotation(files, &root));
    }
    for problem in &report.bundle.problems {
        let level = if problem.is_fatal { Level::Error } else { Level::Note };
        text.push_str(&command(level, &properties(files, Some(problem.place), "input"), &problem.cause));
    }
    text
}

fn annotation(files: &Files, root: &Root<'_>) -> String {
    let finding = root.first.finding;
    let mut message = finding.message.clone();
    if let Some(premise) = &finding.premise {
        let _ = write!(message, "\nassumed: if {premise}");
    }
    let others = root.others();
    if !others.is_empty() {
        let _ = write!(message, "\nand {} more: {}", others.len(), others.join(", "));
    }
    for fix in &finding.fixes {
        let _ = write!(message, "\nfix ({}): {}", fix.safety.word(), fix.summary);
    }
    let title = format!("{}/{} {}", finding.rule.0, finding.consequence.word(), finding.name);
    command(root.first.level, &properties(files, finding.after.place, &title), &message)
}

fn command(level: Level, properties: &str, message: &str) -> String {
    let word = match level {
        Level::Note => "notice",
        Level::Warning => "warning",
        Level::Error => "error",
    };
    format!("::{word} {properties}::{}\n", data(message))
}

fn properties(files: &Files, place: Option<Place>, title: &str) -> String {
    let mut parts = Vec::new();
    if let Some(place) = place.filter(|place| !files.path(*place).is_empty()) {
        parts.push(format!("file={}", property(files.path(place))));
        for (name, number) in [("line", place.line), ("col", place.column)] {
            if number > 0 {
                parts.push(format!("{name}={number}"));
            }
        }
    }
    parts.push(format!("title={}", property(title)));
    parts.join(",")
}

/// A text behind the second `::`.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A text between the two.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn every_root_is_one_annotation_and_every_problem_another() {
        insta::assert_snapshot!(sample::told(false, write));
    }

    #[test]
    fn what_means_something_to_a_workflow_is_escaped() {
        assert_eq!(data("100%\r\n::error::x, y"), "100%25%0D%0A::error::x, y");
        assert_eq!(property("a,b:c%\n"), "a%2Cb%3Ac%25%0A");
    }
}
