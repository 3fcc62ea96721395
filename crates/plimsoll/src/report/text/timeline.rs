//! The order of events that fails, with times and the exact answers.

use super::page::Page;
use super::style::PLAIN;
use crate::report::duration::spoken;
use plimsoll_model::{Actor, Finding, Instant};

/// Writes one line for each event, and the exact answer under it.
pub(super) fn write(page: &mut Page, finding: &Finding) {
    let rows: Vec<(String, &str, &Instant)> =
        finding.timeline.0.iter().map(|instant| (time(instant), actor(finding, instant), instant)).collect();
    let times = rows.iter().map(|(time, ..)| time.chars().count()).max().unwrap_or(0);
    let actors = rows.iter().map(|(_, actor, _)| actor.chars().count()).max().unwrap_or(0);
    for (time, actor, instant) in &rows {
        let lead = format!("    {time:<times$}  {actor:<actors$}  ");
        page.hanging(&lead, PLAIN, &deed(instant));
        let answer_lead = format!("{}> ", " ".repeat(lead.chars().count()));
        for line in instant.answer.iter().flat_map(|answer| answer.lines()) {
            page.hanging(&answer_lead, PLAIN, line);
        }
    }
}

fn time(instant: &Instant) -> String {
    format!("T+{}", spoken(instant.time))
}

fn actor<'a>(finding: &Finding, instant: &Instant) -> &'a str {
    match instant.actor {
        Actor::Tool => finding.tool.word(),
        actor => actor.word(),
    }
}

/// What is done, and to which object unless the words already say it.
fn deed(instant: &Instant) -> String {
    match &instant.object {
        Some(object) if !instant.does.contains(object.name()) => format!("{} ({object})", instant.does),
        _ => instant.does.clone(),
    }
}
