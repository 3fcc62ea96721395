//! What was confirmed, as the table that is kept: `witness.tsv`, one line an example.

use super::outcome::{Healing, Outcome, Part};
use plimsoll_knowledge::witness::{Unwitnessed, Witnessed};
use std::fmt::Write as _;

/// A confirmed example as it is kept.
#[must_use]
pub fn record(outcome: &Outcome) -> Witnessed {
    let heals = match outcome.healing {
        _ if outcome.part != Part::Race => String::new(),
        Healing::Unseen => String::new(),
        Healing::Alone(after) => format!("{:.1} s", after.as_secs_f64()),
        Healing::Repeated => "again".to_owned(),
        Healing::Never => "never".to_owned(),
    };
    Witnessed {
        subject: outcome.subject.clone(),
        example: outcome.example.clone(),
        versions: outcome.versions.clone(),
        heals,
    }
}

/// The table with new records in place of the old ones of the same subjects; in the order of `subjects`.
#[must_use]
pub fn merge(kept: &[Witnessed], outcomes: &[Outcome], subjects: &[String]) -> Vec<Witnessed> {
    let is_played = |row: &&Witnessed| !outcomes.iter().any(|outcome| outcome.subject == row.subject);
    let new = outcomes.iter().filter(|outcome| outcome.is_confirmed()).map(record);
    let mut rows: Vec<Witnessed> = kept.iter().filter(is_played).cloned().chain(new).collect();
    let place = |row: &Witnessed| subjects.iter().position(|subject| *subject == row.subject);
    rows.retain(|row| place(row).is_some());
    rows.sort_by_key(place);
    rows
}

/// The table as text.
#[must_use]
pub fn write(rows: &[Witnessed]) -> String {
    let mut text = "# Examples that a real cluster has confirmed. Written by `cargo xtask witness`.\n\
                    # subject\texample\tversions\theals\n"
        .to_owned();
    for Witnessed { subject, example, versions, heals } in rows {
        let _ = writeln!(text, "{subject}\t{example}\t{versions}\t{heals}");
    }
    text
}

/// What is not as it is kept: an example that no longer does what its page says, or one that does although a reason is
/// kept why it does not.
#[must_use]
pub fn differences(outcomes: &[Outcome], open: &[Unwitnessed]) -> Vec<String> {
    let is_open = |outcome: &Outcome| {
        open.iter().any(|row| row.subject == outcome.subject && row.example == outcome.example)
    };
    let differences = outcomes.iter().filter_map(|outcome| {
        let Outcome { subject, example, .. } = outcome;
        match (outcome.is_confirmed(), is_open(outcome)) {
            (true, true) => {
                Some(format!("{subject}, {example}: is confirmed; take it out of unwitnessed.tsv"))
            }
            (false, false) if outcome.faults.is_empty() => {
                Some(format!("{subject}, {example}: the page says nothing that could be seen"))
            }
            (false, false) => Some(format!("{subject}, {example}: {}", outcome.faults.join("; "))),
            _ => None,
        }
    });
    differences.collect()
}
