//! One block: what can go wrong, where, in which order of events, and how it is mended.

use super::page::{Page, listed};
use super::style::{ERROR, LABEL, NOTE, WARNING};
use super::visible;
use super::{snippet, timeline};
use crate::policy::Level;
use crate::report::duration::spoken;
use crate::report::root::Root;
use crate::report::{Report, manifest};
use anstyle::Style;
use plimsoll_model::{Consequence, Finding};

/// Entries stand under each other, so their labels share a width.
const LABEL_WIDTH: usize = 14;

/// Writes one block.
pub(super) fn write(page: &mut Page, report: &Report<'_>, root: &Root<'_>) {
    let finding = root.first.finding;
    let level = root.first.level;
    let headline = format!("{}[{}/{}] ", level.word(), finding.rule.0, finding.consequence.word());
    page.hanging(&headline, style(level), &finding.message);
    let snippet = snippet::render(&report.bundle.files, finding, page.width());
    for line in snippet.lines() {
        page.exact(line);
    }
    write_order(page, root);
    if let Some(premise) = &finding.premise {
        entry(page, "assumed", &format!("if {premise}"));
    }
    write_outside(page, finding);
    if let Some(guard) = &finding.guard {
        let reason = if guard.why_not.is_empty() { "" } else { ": " };
        entry(page, "no guard", &format!("{} guards nothing{reason}{}", guard.what, guard.why_not));
    }
    let others = root.others();
    if !others.is_empty() {
        entry(page, &format!("and {} more", others.len()), &listed(&others, 5));
    }
    for fix in &finding.fixes {
        entry(page, &format!("fix ({})", fix.safety.word()), &fix.summary);
        if let Some(why) = &fix.unchecked {
            entry(page, "  unchecked", why);
        }
    }
    entry(page, "docs", &format!("plimsoll explain {}", finding.rule.0));
    if report.shows_rendered {
        write_rendered(page, report, finding);
    }
}

/// Both objects as they were rendered, as far as they are in the input.
fn write_rendered(page: &mut Page, report: &Report<'_>, finding: &Finding) {
    let mut ends = vec![&finding.after.object, &finding.before.object];
    ends.dedup();
    for id in ends {
        let Some((_, object)) = report.bundle.deliveries().find(|(_, object)| &object.id == id) else {
            continue;
        };
        page.blank();
        entry(page, "rendered", &id.to_string());
        for line in manifest::object(object, manifest::Secrets::Masked).lines() {
            page.exact(&format!("    {}", visible(line)));
        }
    }
}

fn style(level: Level) -> Style {
    match level {
        Level::Note => NOTE,
        Level::Warning => WARNING,
        Level::Error => ERROR,
    }
}

/// Says what is needed from outside the input, for which there is no line to show.
fn write_outside(page: &mut Page, finding: &Finding) {
    let end = &finding.before;
    if end.place.is_some() {
        return;
    }
    let origin = match end.carriers.as_slice() {
        [] => String::new(),
        carriers => format!("; it comes from {}", carriers.join(", from ")),
    };
    entry(page, "outside", &format!("{} is not in the input{origin}", end.object));
}

fn write_order(page: &mut Page, root: &Root<'_>) {
    let finding = root.first.finding;
    let operations: Vec<&str> = root.operations().into_iter().map(plimsoll_model::Operation::word).collect();
    let standing =
        format!("{} · on {} · {}", finding.confidence.word(), operations.join(" and "), healing(finding));
    page.blank();
    if finding.timeline.0.is_empty() {
        entry(page, "outcome", &standing);
        return;
    }
    let title = "  one order that fails";
    let needed = title.chars().count() + standing.chars().count() + 2;
    if needed > page.width() {
        page.hanging(title, LABEL, "");
        page.hanging("    ", LABEL, &standing);
    } else {
        let gap = " ".repeat((page.width() - needed).min(38) + 2);
        page.exact(&format!("{LABEL}{title}{LABEL:#}{gap}{standing}"));
    }
    timeline::write(page, finding);
    page.blank();
}

fn healing(finding: &Finding) -> String {
    match &finding.heals {
        Some(healing) if healing.within.is_zero() => format!("heals at once by {}", healing.by),
        Some(healing) => format!("heals within {} by {}", spoken(healing.within), healing.by),
        None if finding.consequence == Consequence::Late => "a rerun succeeds".to_owned(),
        None => "does not heal".to_owned(),
    }
}

fn entry(page: &mut Page, label: &str, text: &str) {
    page.hanging(&format!("  {label:<LABEL_WIDTH$}"), LABEL, text);
}
