//! The last lines: how many causes, how bad, and what is hidden.

use super::page::{Page, counted};
use super::style::{ERROR, GOOD, PLAIN};
use crate::policy::Hidden;
use crate::report::Report;
use crate::report::root::Root;
use plimsoll_model::Consequence;

/// Writes the summary.
pub(super) fn write(page: &mut Page, report: &Report<'_>, roots: &[Root<'_>]) {
    if report.is_empty() && roots.is_empty() {
        page.hanging("nothing to judge: ", ERROR, "no Kubernetes object was read");
    } else if report.is_incomplete() && roots.is_empty() {
        page.hanging(
            "no full answer: ",
            ERROR,
            "nothing was found in what could be read, and not all of it could",
        );
    } else if roots.is_empty() {
        page.hanging("clean: ", GOOD, &clean(report));
    } else {
        page.hanging("", PLAIN, &found(report, roots));
    }
    write_hidden(page, report);
}

/// How many causes there are of each consequence, worst first.
pub(super) fn counts(roots: &[Root<'_>]) -> String {
    let all = [Consequence::Damage, Consequence::Stuck, Consequence::Late, Consequence::Noise];
    let counted = all.map(|consequence| {
        let count = roots.iter().filter(|root| root.first.finding.consequence == consequence).count();
        (count, consequence.word())
    });
    let said: Vec<String> = counted
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{count} {word}"))
        .collect();
    said.join(", ")
}

fn found(report: &Report<'_>, roots: &[Root<'_>]) -> String {
    let pairs: usize = roots.iter().map(|root| root.pairs().count()).sum();
    let failing = roots.iter().filter(|root| root.pairs().any(|told| told.fails())).count();
    let verdict = match failing {
        0 => "none fails the run".to_owned(),
        count if count == roots.len() => String::new(),
        count => format!("{count} of them {} the run", if count == 1 { "fails" } else { "fail" }),
    };
    let mut text = format!("found {}", counted(roots.len(), "cause of failure", "causes of failure"));
    if pairs > roots.len() {
        text = format!("{text} in {pairs} pairs of objects");
    }
    text = format!("{text}: {}", counts(roots));
    if !verdict.is_empty() {
        text = format!("{text}; {verdict}");
    }
    if report.is_incomplete() {
        text.push_str("; not everything could be read, so there may be more");
    }
    text
}

fn clean(report: &Report<'_>) -> String {
    let what = if report.bundle.coverage.opaque > 0 { "what was read" } else { "this deployment" };
    let mut text = format!("no order of events was found in which {what} fails");
    if report.verdict.held > 0 {
        let requirements = counted(report.verdict.held, "requirement is held", "requirements are held, each");
        text = format!("{text}; {requirements} by a guarantee");
    }
    if !report.verdict.needs.is_empty() {
        text.push_str(", provided that what is listed above is there before");
    }
    text
}

fn write_hidden(page: &mut Page, report: &Report<'_>) {
    let (noise, guesses) = (report.hidden(Hidden::Noise), report.hidden(Hidden::Guess));
    let mut parts = Vec::new();
    if noise > 0 {
        let heal = if noise == 1 { "finding that heals" } else { "findings that heal" };
        parts.push(format!("{noise} {heal} within a minute"));
    }
    if guesses > 0 {
        parts.push(counted(guesses, "guess", "guesses"));
    }
    if !parts.is_empty() {
        let them = if noise + guesses == 1 { "it" } else { "them" };
        page.hanging("hidden: ", PLAIN, &format!("{}; --pedantic shows {them}", parts.join(" and ")));
    }
    write_set_aside(page, report);
}

fn write_set_aside(page: &mut Page, report: &Report<'_>) {
    let reasons = [
        (Hidden::Allowed, "allowed"),
        (Hidden::Known, "in the baseline"),
        (Hidden::Earlier, "an earlier revision has too"),
        (Hidden::Off, "of rules that are switched off"),
    ];
    let counts = reasons.map(|(reason, words)| (report.hidden(reason), words));
    let parts: Vec<String> = counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, words)| format!("{} {words}", counted(*count, "finding", "findings")))
        .collect();
    if !parts.is_empty() {
        page.hanging("set aside: ", PLAIN, &parts.join(", "));
    }
    if report.judgement.stale > 0 {
        let stale = report.judgement.stale;
        page.hanging(
            "stale: ",
            ERROR,
            &format!("{stale} of what was set aside need not be any more, which fails the run"),
        );
    }
}
