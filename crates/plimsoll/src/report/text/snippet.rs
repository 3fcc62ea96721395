//! Source lines of both ends of a finding: the line at fault, and where what it needs comes from.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use plimsoll_model::{Files, Finding, Milestone, Place};
use std::ops::Range;

/// The places of a finding with their source lines; empty if neither end is in the input.
pub(super) fn render(files: &Files, finding: &Finding, width: usize) -> String {
    let ends = [
        (finding.after.place, AnnotationKind::Primary, needs(finding)),
        (provider(finding), AnnotationKind::Context, origin(finding)),
        (value(files, finding), AnnotationKind::Context, vec![VALUE.to_owned()]),
    ];
    let mut group = Group::with_level(Level::ERROR);
    let mut has_source = false;
    for (place, kind, labels) in ends {
        let Some(place) = place.filter(|place| !files.path(*place).is_empty()) else {
            continue;
        };
        let path = files.path(place).to_owned();
        let is_value = labels.first().is_some_and(|label| label == VALUE);
        group = match files.line(place).filter(|line| !is_value || has_one_value(line)) {
            Some(line) => {
                has_source = true;
                let span = marked(line, place);
                let mut annotation = kind.span(span.clone());
                if let Some(label) = fitting(&labels, line, &span, place, width) {
                    annotation = annotation.label(label);
                }
                let snippet = Snippet::source(line.to_owned()).line_start(place.line as usize).path(path);
                group.element(snippet.annotation(annotation))
            }
            None => group.element(bare(path, place)),
        };
    }
    if group.is_empty() {
        return String::new();
    }
    let rendered = Renderer::styled().term_width(width).render(&[group]);
    // Without a line number there is no margin under which the arrow would stand.
    if has_source { rendered } else { format!(" {rendered}") }
}

const VALUE: &str = "the value comes from here";

/// Whether a line of a file of values holds a single one: others beside it may be secret.
fn has_one_value(line: &str) -> bool {
    !line.contains(['{', '['])
}

/// What the line at fault needs, said at length and said shortly.
fn needs(finding: &Finding) -> Vec<String> {
    let object = &finding.before.object;
    let milestone = finding.before.milestone;
    // Where nothing could ever satisfy the need, both ends are the object itself, and the message says it all.
    if object == &finding.after.object {
        return Vec::new();
    }
    vec![
        format!("needs {object} {}", reached(milestone)),
        format!("needs {}/{} {}", object.kind(), object.name(), reached(milestone)),
        format!("needs {}/{} first", object.kind(), object.name()),
        "needs that first".to_owned(),
    ]
}

/// A milestone as one says it of what is needed.
fn reached(milestone: Milestone) -> String {
    match milestone {
        Milestone::Stored => "to exist".to_owned(),
        Milestone::Serving => "to answer".to_owned(),
        Milestone::Observed => "to have pods".to_owned(),
        Milestone::Started => "to run".to_owned(),
        Milestone::Submitted | Milestone::Checked => "to be sent".to_owned(),
        Milestone::Discoverable => "to be served".to_owned(),
        other => format!("to be {other}"),
    }
}

/// Where that comes from, said at length and said shortly.
fn origin(finding: &Finding) -> Vec<String> {
    let object = &finding.before.object;
    match (finding.before.carriers.first(), finding.before.milestone) {
        (Some(carrier), Milestone::Serving | Milestone::Ready) => {
            vec![
                format!("{object} rests on {carrier}"),
                format!("rests on {carrier}"),
                "rests on this".to_owned(),
            ]
        }
        (Some(carrier), _) => {
            vec![format!("{object} comes from {carrier}"), format!("from {carrier}"), "from here".to_owned()]
        }
        (None, _) => vec![
            format!("{object} is declared here"),
            format!("{}/{} is declared here", object.kind(), object.name()),
            "declared here".to_owned(),
        ],
    }
}

/// The longest of the labels that stays inside the width.
fn fitting(labels: &[String], line: &str, span: &Range<usize>, place: Place, width: usize) -> Option<String> {
    let margin = place.line.to_string().len() + " | ".len();
    let marked = line.get(..span.end).unwrap_or(line).chars().count();
    let room = width.saturating_sub(margin + marked + 1);
    labels.iter().find(|label| label.chars().count() <= room).cloned()
}

/// The provider's place, unless it is the line that is shown already.
fn provider(finding: &Finding) -> Option<Place> {
    let place = finding.before.place?;
    let shown = finding.after.place.map(|after| (after.file, after.line));
    (shown != Some((place.file, place.line))).then_some(place)
}

/// Where the value of the line at fault is set, which a template prints.
fn value(files: &Files, finding: &Finding) -> Option<Place> {
    files.value_of(finding.after.place?)
}

fn bare(path: String, place: Place) -> Origin<'static> {
    let mut origin = Origin::path(path);
    if place.line > 0 {
        origin = origin.line(place.line as usize);
        if place.column > 0 {
            origin = origin.char_column(place.column as usize);
        }
    }
    origin
}

/// The bytes of a line from the column of a place to the end of what is written there.
fn marked(line: &str, place: Place) -> Range<usize> {
    let skipped = (place.column as usize).saturating_sub(1);
    let indent = line.len() - line.trim_start().len();
    let start = line.char_indices().nth(skipped).map_or(indent, |(start, _)| start.max(indent));
    let (before, rest) = line.split_at_checked(start).unwrap_or(("", line));
    let mut written = rest.split(" #").next().unwrap_or(rest);
    if before.contains(['{', '[']) {
        written = written.split(['}', ']', ',']).next().unwrap_or(written);
    }
    let first = rest.chars().next().map_or(0, char::len_utf8);
    before.len()..before.len() + written.trim_end().len().max(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_model::FileIndex;

    fn check(line: &str, column: u32, expected: &str) {
        let place = Place { file: FileIndex(0), line: 1, column };
        assert_eq!(line.get(marked(line, place)), Some(expected), "{line} at {column}");
    }

    #[test]
    fn what_is_written_at_a_place_is_marked() {
        check("  name: web  # the shop", 9, "web");
        check("  name: web  # the shop", 3, "name: web");
        check("  name: web", 0, "name: web");
        check("spec: {a: b, c: d}", 8, "a: b");
        check("    - größe: 3", 7, "größe: 3");
        check("   ", 1, "");
        check("", 9, "");
        check("é", 1, "é");
        check("a", 40, "a");
    }
}
