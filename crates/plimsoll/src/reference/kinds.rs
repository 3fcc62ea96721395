//! The page about kinds: which are known, and which of their fields name others.

use super::row;
use std::collections::BTreeMap;
use std::fmt::Write as _;

const HEAD: &str = "\
# Kinds

Kinds of Kubernetes are known with their scope and the versions that serve them; those of other projects by the definitions in
the input, or by a chart on the [shelf](charts.md). The life of an object (stored, established, bound, started, ready …) is
known for workloads, services, claims, definitions, webhooks, certificates, issuers, secret stores and external secrets; of
others it is known that they are stored, and that their controllers come after them.

## Fields that name other objects

Rows of `references.toml` and `references-of-operators.toml` in `crates/plimsoll-knowledge/data`, each with an example that is
executed and the place where it was read. `pod` stands for every pod specification.

| of | field | names | rule |
| --- | --- | --- | --- |
";

pub(super) fn page() -> String {
    let mut text = HEAD.to_owned();
    let mut rows: Vec<_> = plimsoll_knowledge::references().collect();
    rows.sort_by_key(|reference| (reference.of, reference.path, reference.to));
    for reference in rows {
        let field = format!("`{}`", reference.path);
        text.push_str(&row(&[reference.of, &field, reference.to, reference.rule]));
    }
    let newest = plimsoll_schema::newest();
    let _ = write!(text, "\n## Kinds of Kubernetes {newest}\n\n| API | kinds |\n| --- | --- |\n");
    for (api, kinds) in builtin(newest) {
        text.push_str(&row(&[&api, &kinds.join(", ")]));
    }
    text
}

/// Every kind by its API.
fn builtin(version: plimsoll_schema::Version) -> BTreeMap<String, Vec<String>> {
    let mut kinds: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for served in plimsoll_schema::api_versions(version) {
        if let Some((api, kind)) =
            served.rsplit_once('/').filter(|(_, kind)| kind.starts_with(char::is_uppercase))
        {
            kinds.entry(api.to_owned()).or_default().push(kind.to_owned());
        }
    }
    kinds
}
