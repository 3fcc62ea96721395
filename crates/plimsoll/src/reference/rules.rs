//! The page about rules.

use super::row;

const HEAD: &str = "\
# Rules

`plimsoll explain CODE` shows a rule's page: what it finds, what happens, when it heals, examples that are executed, and what
was seen on a real cluster.

| code | name | what it finds |
| --- | --- | --- |
";

pub(super) fn page() -> String {
    let mut text = HEAD.to_owned();
    for rule in plimsoll_knowledge::rules() {
        let (_, rest) = rule.page.split_once("\n\n").unwrap_or(("", rule.page));
        let says = rest.lines().next().unwrap_or_default();
        let file = rule.name.replace('-', "_");
        let page = format!("[{}](../../crates/plimsoll-knowledge/src/rules/{file}.md)", rule.name);
        text.push_str(&row(&[rule.code.0, &page, says]));
    }
    text
}
