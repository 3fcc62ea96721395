//! What was read: what could not be, what must be there before, and how much was covered.

use super::page::{Page, counted, listed};
use super::style::{ERROR, LABEL, NOTE, PLAIN};
use crate::report::Report;
use crate::report::problem;
use plimsoll_model::{Files, Milestone, Need, Problem};

/// More lines than this of one sort are counted and not shown.
const MOST_LINES: usize = 30;

/// Writes what was read.
pub(super) fn write(page: &mut Page, report: &Report<'_>) {
    write_problems(page, &report.bundle.files, &report.bundle.problems);
    write_needs(page, &report.verdict.needs);
    page.hanging("", PLAIN, &coverage(report));
}

fn write_problems(page: &mut Page, files: &Files, problems: &[Problem]) {
    for problem in problems.iter().take(MOST_LINES) {
        let (lead, style) = if problem.is_fatal { ("error: ", ERROR) } else { ("note: ", NOTE) };
        page.hanging(lead, style, &problem::sentence(files, problem));
    }
    write_left_out(page, problems.len());
    if !problems.is_empty() {
        page.blank();
    }
}

fn write_needs(page: &mut Page, needs: &[Need]) {
    if needs.is_empty() {
        return;
    }
    page.hanging("must be there before:", LABEL, "");
    let mut sorted: Vec<&Need> = needs.iter().collect();
    sorted.sort_by(|a, b| (&a.object, a.milestone).cmp(&(&b.object, b.milestone)));
    for need in sorted.into_iter().take(MOST_LINES) {
        let by: Vec<String> = need.by.iter().map(ToString::to_string).collect();
        let mut text = String::new();
        if need.milestone != Milestone::Stored {
            text = format!("({}) ", need.milestone);
        }
        if !by.is_empty() {
            text = format!("{text}for {}", listed(&by, 2));
        }
        if !need.elsewhere.is_empty() {
            let others: Vec<String> = need.elsewhere.iter().map(ToString::to_string).collect();
            text = format!("{text}; the input has {}, in another namespace", listed(&others, 2));
        }
        page.hanging(&format!("  {} ", need.object), PLAIN, &text);
    }
    write_left_out(page, needs.len());
    page.blank();
}

fn write_left_out(page: &mut Page, count: usize) {
    if let Some(left) = count.checked_sub(MOST_LINES).filter(|left| *left > 0) {
        page.hanging("  ", PLAIN, &format!("and {left} more; `-o json` lists every one"));
    }
}

fn coverage(report: &Report<'_>) -> String {
    let covered = report.bundle.coverage;
    // What could not be opened is in the list too, for the sake of its path, but without text.
    let files = report.bundle.files.iter().filter(|file| !file.text.is_empty()).count();
    let mut parts = vec![format!(
        "read {} in {}",
        counted(covered.objects, "object", "objects"),
        counted(files, "file", "files")
    )];
    for (premise, count) in report.assumed().into_iter().take(MOST_LINES) {
        parts.push(format!("{} only if {premise}", counted(count, "more comes", "more come")));
    }
    if let Some(unknown) = covered.objects.checked_sub(report.verdict.understood).filter(|count| *count > 0) {
        parts.push(format!("{unknown} of a kind that is not known"));
    }
    if covered.foreign > 0 {
        let documents = counted(covered.foreign, "document is", "documents are");
        parts.push(format!("{documents} not of Kubernetes"));
    }
    if covered.opaque > 0 {
        parts.push(format!(
            "{} of unknown content",
            counted(covered.opaque, "step or folder", "steps or folders")
        ));
    }
    parts.join("; ")
}
