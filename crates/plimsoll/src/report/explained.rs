//! One object for people: what it needs, what protects each need, and what it holds up.

use super::place::spot;
use super::text::Page;
use crate::analysis::{Explained, Link, Protection, Tie};
use anstyle::Style;
use plimsoll_model::Files;
use std::collections::BTreeSet;

const BOLD: Style = Style::new().bold();
const PLAIN: Style = Style::new();

/// More of one sort than this are counted and not shown.
const MOST_TIES: usize = 20;

/// Says everything about objects, one after the other.
pub(crate) fn write(all: &[Explained], files: &Files, width: usize) -> String {
    let mut page = Page::new(width);
    for (number, explained) in all.iter().enumerate() {
        if number > 0 {
            page.blank();
        }
        write_object(&mut page, files, explained);
    }
    page.finish()
}

fn write_object(page: &mut Page, files: &Files, explained: &Explained) {
    let place = explained.place.map_or_else(String::new, |place| spot(files, place));
    page.hanging(&format!("{} ", explained.object), BOLD, &place);
    if !explained.carriers.is_empty() {
        page.hanging("  comes from ", PLAIN, &explained.carriers.join(", "));
    }
    page.blank();
    write_heading(page, "needs", &explained.needs);
    for tie in explained.needs.iter().take(MOST_TIES) {
        page.hanging("  ", PLAIN, &format!("{}{}", first(tie), only(tie)));
        write_protection(page, files, tie);
    }
    write_left_out(page, explained.needs.len());
    page.blank();
    write_heading(page, "holds up", &explained.holds_up);
    for tie in explained.holds_up.iter().take(MOST_TIES) {
        page.hanging(
            "  ",
            PLAIN,
            &format!("{}, which needs {}: {}{}", tie.then, first(tie), word(&tie.protection), only(tie)),
        );
    }
    write_left_out(page, explained.holds_up.len());
}

fn write_heading(page: &mut Page, words: &str, ties: &[Tie]) {
    if ties.is_empty() {
        page.hanging(&format!("{words} "), BOLD, "nothing that is known");
    } else {
        page.hanging(words, BOLD, "");
    }
}

fn first(tie: &Tie) -> &str {
    tie.first.as_deref().unwrap_or("what no order can give it")
}

/// In which operations, if not in all of them.
fn only(tie: &Tie) -> String {
    let words: Vec<&str> = tie.operations.iter().map(|operation| operation.word()).collect();
    if words.is_empty() { String::new() } else { format!(", on {}", words.join(" and ")) }
}

fn word(protection: &Protection) -> &'static str {
    match protection {
        Protection::Held(_) => "held",
        Protection::Open(_) => "not held",
        Protection::Given(_) => "there before",
    }
}

fn write_protection(page: &mut Page, files: &Files, tie: &Tie) {
    match &tie.protection {
        Protection::Held(links) => {
            page.hanging(
                "    held: ",
                PLAIN,
                &format!("{} never comes before ({} {})", tie.then, tie.rule.0, tie.name),
            );
            for link in grounds(links) {
                write_ground(page, files, link);
            }
        }
        Protection::Open(finding) => {
            page.hanging("    not held: ", BOLD, &finding.message);
            let at = spot(files, tie.place);
            page.hanging(
                "      ",
                PLAIN,
                &format!("{} · {at} · plimsoll explain {}", finding.consequence.word(), tie.rule.0),
            );
        }
        Protection::Given(by) if by.is_empty() => {
            page.hanging(
                "    there before: ",
                PLAIN,
                "nothing in the input brings it, and it is taken as given",
            );
        }
        Protection::Given(by) => page.hanging("    there before: ", PLAIN, &format!("provided by {by}")),
    }
}

/// The promises of a chain, each once; without any, everything that it rests on.
fn grounds(links: &[Link]) -> Vec<&Link> {
    let is_promise = |link: &&Link| !link.source.is_empty();
    let has_promise = links.iter().any(|link| is_promise(&link));
    let mut seen = BTreeSet::new();
    let told = links.iter().filter(|link| !has_promise || is_promise(link));
    told.filter(|link| seen.insert((&link.because, link.place))).collect()
}

fn write_ground(page: &mut Page, files: &Files, link: &Link) {
    page.hanging("      because ", PLAIN, &link.because);
    if let Some(place) = link.place {
        page.hanging("      said at ", PLAIN, &spot(files, place));
    }
    if !link.source.is_empty() {
        page.hanging("      read in ", PLAIN, &link.source);
    }
}

fn write_left_out(page: &mut Page, count: usize) {
    if let Some(left) = count.checked_sub(MOST_TIES).filter(|left| *left > 0) {
        page.hanging("  ", PLAIN, &format!("and {left} more"));
    }
}
