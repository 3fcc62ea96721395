//! What a real cluster has confirmed of a rule, as the last part of its page.

use plimsoll_knowledge::witness::{Unwitnessed, Witnessed, unwitnessed, witnessed};
use std::fmt::Write as _;

/// The part of the page, as Markdown.
pub(crate) fn section(code: &str) -> String {
    let seen: Vec<Witnessed> = witnessed().filter(|row| row.subject == code).collect();
    let open: Vec<Unwitnessed> = unwitnessed().filter(|row| row.subject == code).collect();
    let mut text = "\n## Witnessed\n\n".to_owned();
    for row in seen.iter().filter(|row| is_racy(&row.example)) {
        let _ =
            writeln!(text, "- {}: witnessed on {}{}", short(&row.example), row.versions, heals(&row.heals));
    }
    let passed = seen.iter().filter(|row| !is_racy(&row.example)).count();
    if passed > 0 {
        let _ = writeln!(text, "- the right order and what looks alike: {passed} examples pass there");
    }
    for row in &open {
        let _ = writeln!(text, "- {}: not yet, because {}", short(&row.example), row.because);
    }
    text
}

fn is_racy(example: &str) -> bool {
    example.starts_with("Example")
}

fn short(example: &str) -> &str {
    example.strip_prefix("Example: ").unwrap_or(example)
}

fn heals(word: &str) -> String {
    match word {
        "" => String::new(),
        "again" => "; the same command, run again, succeeds".to_owned(),
        "never" => "; it does not heal".to_owned(),
        after => format!("; healed {after} after what was missing came"),
    }
}
