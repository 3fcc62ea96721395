//! SARIF 2.1.0, as code scanning reads it: one result for each pair.

mod wire;

use super::{Report, Told};
use crate::policy::{Allowance, Level};
use plimsoll_model::{End, Files, Place, Problem};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A file with more results than this is refused by GitHub; the worst come first, and what is left out is said.
const MOST_RESULTS: usize = 25_000;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The report as SARIF.
pub(crate) fn write(report: &Report<'_>) -> Result<String, serde_json::Error> {
    let run = run(report);
    let mut text =
        serde_json::to_string_pretty(&wire::Log { schema: SCHEMA, version: "2.1.0", runs: [run] })?;
    text.push('\n');
    Ok(text)
}

fn run<'a>(report: &Report<'a>) -> wire::Run<'a> {
    let files = &report.bundle.files;
    let allowed = report.allowed().map(|(finding, fingerprint, allowance)| {
        (Told { finding, fingerprint, level: Level::Note }, Some(allowance))
    });
    let told = report.told().map(|told| (told, None));
    let told: Vec<(Told<'a>, Option<&Allowance>)> = told.chain(allowed).take(MOST_RESULTS).collect();
    let mut codes: Vec<&str> = told.iter().map(|(told, _)| told.finding.rule.0).collect();
    codes.sort_unstable();
    codes.dedup();
    let positions: BTreeMap<&str, usize> = codes.iter().copied().zip(0..).collect();
    let mut notifications: Vec<_> =
        report.bundle.problems.iter().map(|problem| notification(files, problem)).collect();
    notifications.extend(left_out(report.told().count().saturating_sub(MOST_RESULTS)));
    wire::Run {
        tool: wire::Tool {
            driver: wire::Driver {
                name: "plimsoll",
                semantic_version: env!("CARGO_PKG_VERSION"),
                rules: codes.iter().filter_map(|code| rule(code)).collect(),
            },
        },
        column_kind: "unicodeCodePoints",
        invocations: [wire::Invocation {
            execution_successful: !report.is_incomplete(),
            tool_execution_notifications: notifications,
        }],
        results: told
            .into_iter()
            .map(|(told, allowance)| wire::Result {
                suppressions: allowance.into_iter().map(suppression).collect(),
                ..result(files, told, &positions)
            })
            .collect(),
    }
}

/// A rule as its page says it, without the examples.
fn rule(code: &str) -> Option<wire::Rule> {
    let rule = plimsoll_knowledge::rules().iter().find(|rule| rule.code.0 == code)?;
    let (_, page) = rule.page.split_once("\n\n").unwrap_or(("", rule.page));
    let summary = page.lines().next().unwrap_or(rule.name).to_owned();
    let markdown = page.split("\n## Example").next().unwrap_or(page);
    Some(wire::Rule {
        id: rule.code.0,
        name: rule.name,
        full_description: wire::Text { text: summary },
        help: wire::Help { text: format!("plimsoll explain {code}"), markdown },
    })
}

fn result<'a>(files: &'a Files, told: Told<'a>, rules: &BTreeMap<&str, usize>) -> wire::Result<'a> {
    let finding = told.finding;
    let mut text = finding.message.clone();
    for fix in &finding.fixes {
        text = format!("{text}\nFix ({}): {}", fix.safety.word(), fix.summary);
    }
    let related = finding.before.place.and_then(|place| physical(files, place)).map(|physical| {
        let message = Some(wire::Text { text: finding.before.object.to_string() });
        wire::Location { id: Some(1), physical: Some(physical), message, ..wire::Location::default() }
    });
    wire::Result {
        rule_id: finding.rule.0,
        rule_index: rules.get(finding.rule.0).copied(),
        level: told.level.word(),
        message: wire::Text { text },
        locations: vec![location(files, &finding.after)],
        related_locations: related.into_iter().collect(),
        partial_fingerprints: wire::Fingerprints { pair: told.fingerprint },
        suppressions: Vec::new(),
        properties: wire::Properties {
            class: finding.class.word(),
            consequence: finding.consequence.word(),
            confidence: finding.confidence.word(),
            operation: finding.operation.word(),
            before: finding.before.object.to_string(),
            root: format!("r{}", finding.root),
            premise: finding.premise.as_deref(),
        },
    }
}

fn suppression(allowance: &Allowance) -> wire::Suppression<'_> {
    let kind = if allowance.is_in_source() { "inSource" } else { "external" };
    wire::Suppression { kind, justification: &allowance.reason }
}

fn location(files: &Files, end: &End) -> wire::Location {
    let name = wire::Name { fully_qualified_name: end.object.to_string(), kind: "object" };
    let physical = end.place.and_then(|place| physical(files, place));
    wire::Location { physical, logical: vec![name], ..wire::Location::default() }
}

fn physical(files: &Files, place: Place) -> Option<wire::Physical> {
    let path = files.path(place);
    let known = |number: u32| (number > 0).then_some(number);
    let region =
        known(place.line).map(|start_line| wire::Region { start_line, start_column: known(place.column) });
    (!path.is_empty())
        .then(|| wire::Physical { artifact_location: wire::Artifact { uri: uri(path) }, region })
}

fn notification(files: &Files, problem: &Problem) -> wire::Notification {
    let location = physical(files, problem.place)
        .map(|physical| wire::Location { physical: Some(physical), ..wire::Location::default() });
    wire::Notification {
        level: if problem.is_fatal { "error" } else { "note" },
        message: wire::Text { text: problem.cause.clone() },
        locations: location.into_iter().collect(),
    }
}

fn left_out(count: usize) -> Option<wire::Notification> {
    let text = format!("{count} more pairs are left out, none worse; `-o json` lists every one");
    let notification =
        wire::Notification { level: "warning", message: wire::Text { text }, locations: Vec::new() };
    (count > 0).then_some(notification)
}

/// A path as a reference that is relative to the current folder, or as an address of its own.
fn uri(path: &str) -> String {
    let mut uri = String::from(if path.starts_with('/') { "file://" } else { "" });
    for byte in path.trim_start_matches("./").bytes() {
        match byte {
            b'/' | b'-' | b'.' | b'_' | b'~' => uri.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => uri.push(char::from(byte)),
            byte => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn the_shape_is_kept() {
        let text = sample::told(false, |report| write(report).expect("the report is plain data"));
        // Pages change more often than the shape.
        let lines: Vec<&str> = text.lines().filter(|line| !line.contains("\"markdown\":")).collect();
        insta::assert_snapshot!(lines.join("\n"));
    }

    #[test]
    fn a_path_becomes_a_reference() {
        for (path, expected) in [
            ("k8s/web.yaml", "k8s/web.yaml"),
            ("./a b/ü%.yaml", "a%20b/%C3%BC%25.yaml"),
            ("../c:d.yaml", "../c%3Ad.yaml"),
            ("/srv/a.yaml", "file:///srv/a.yaml"),
        ] {
            assert_eq!(uri(path), expected);
        }
    }
}
