//! `docs/witness.md`: what was seen on a real cluster, rule by rule and row by row.

use plimsoll_knowledge::page::Page;
use plimsoll_knowledge::witness::{Unwitnessed, Witnessed};
use std::fmt::Write as _;

const HEAD: &str = "# What a real cluster has confirmed

Written by `cargo xtask witness`. For every rule, the racy examples of its page are played on a real API server with the
real controllers and the real kubelet: what must come first is kept back, the page's own script is run, and what the
server, the controllers, the kubelet and kubectl say must be what the page quotes, letter by letter. Then what was kept
back comes: *heals* is how long after that the consumer had what it needs (`again`: the same command, run again, succeeds;
`never`: it stays as it is). Then the right order must pass, and what only looks alike must pass too.

The order inside a release is Helm's own doing: nothing is kept back but hooks that come late. Where a finding is about an
upgrade, what was there before is deployed first, and what the finding says is lost must be gone, on its way out or made
anew afterwards; in the right order it must be the same object as before, by its uid.
";

/// The page.
#[must_use]
pub fn write(witnessed: &[Witnessed], open: &[Unwitnessed]) -> String {
    let mut page = HEAD.to_owned();
    let count = plimsoll_knowledge::rules().len();
    let done = plimsoll_knowledge::rules().iter().filter(|rule| is_seen(witnessed, rule.code.0)).count();
    let _ = write!(
        page,
        "\n## Rules: {done} of {count}\n\n| rule | wrong order | on | heals | right order | look-alikes |\n| --- | --- | --- | --- | --- | --- |\n"
    );
    for rule in plimsoll_knowledge::rules() {
        let code = rule.code.0;
        let parsed = Page::parse(rule.page);
        let part = |section: &str| {
            let names: Vec<&str> = parsed.under(section).map(|example| example.name.as_str()).collect();
            let seen: Vec<&Witnessed> = names.iter().filter_map(|name| find(witnessed, code, name)).collect();
            (names.len(), seen)
        };
        let (races, seen) = part("Example");
        let [fixed, silent] = ["After the fix", "Stays silent"].map(|section| {
            let (all, seen) = part(section);
            format!("{} of {all}", seen.len())
        });
        let on = seen.first().map_or("not yet", |row| row.versions.as_str());
        let heals: Vec<&str> = seen.iter().map(|row| dash(&row.heals)).collect();
        let _ = writeln!(
            page,
            "| {code} {} | {} of {races} | {on} | {} | {fixed} | {silent} |",
            rule.name,
            seen.len(),
            dash(&heals.join(", ")),
        );
    }
    rows(&mut page, witnessed);
    not_yet(&mut page, open);
    page
}

fn rows(page: &mut String, witnessed: &[Witnessed]) {
    let ids: Vec<String> = plimsoll_knowledge::reference_ids().collect();
    let done = ids.iter().filter(|id| is_seen(witnessed, id)).count();
    let _ = write!(
        page,
        "\n## Rows of the reference table: {done} of {}\n\n| row | on | heals |\n| --- | --- | --- |\n",
        ids.len()
    );
    for id in &ids {
        let (on, heals) = find(witnessed, id, "Example")
            .map_or(("not yet", ""), |row| (row.versions.as_str(), row.heals.as_str()));
        let _ = writeln!(page, "| {id} | {on} | {} |", dash(heals));
    }
}

fn not_yet(page: &mut String, open: &[Unwitnessed]) {
    page.push_str("\n## Not yet, because\n\n| rule or row | example | because |\n| --- | --- | --- |\n");
    for Unwitnessed { subject, example, because } in open {
        let _ = writeln!(page, "| {subject} | {example} | {because} |");
    }
}

fn is_seen(witnessed: &[Witnessed], subject: &str) -> bool {
    witnessed.iter().any(|row| row.subject == subject && row.example.starts_with("Example"))
}

fn find<'w>(witnessed: &'w [Witnessed], subject: &str, example: &str) -> Option<&'w Witnessed> {
    witnessed.iter().find(|row| row.subject == subject && row.example == example)
}

fn dash(text: &str) -> &str {
    if text.is_empty() { "–" } else { text }
}

#[cfg(test)]
#[allow(clippy::expect_used, reason = "a test fails by panicking")]
mod tests {
    #[test]
    fn the_page_is_what_the_tables_say() {
        let witnessed: Vec<_> = plimsoll_knowledge::witness::witnessed().collect();
        let open: Vec<_> = plimsoll_knowledge::witness::unwitnessed().collect();
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/witness.md");
        let kept = std::fs::read_to_string(path).expect("docs/witness.md");
        assert!(
            kept == super::write(&witnessed, &open),
            "stale; `cargo xtask witness --page` writes it from the tables"
        );
    }
}
