//! What a real cluster has confirmed: `data/witness.tsv` is written by `cargo xtask witness`, `data/unwitnessed.tsv` is
//! kept by hand and says why the rest has not been seen yet.

/// An example that a real cluster has confirmed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witnessed {
    /// The rule's code, or the name of a row of the reference table.
    pub subject: String,
    /// The heading of the example on the page.
    pub example: String,
    /// On which programs: `Kubernetes v1.36.4`.
    pub versions: String,
    /// How it healed: `1.2 s`, `again` (by the same command), `never`; empty where there was nothing to heal or to see.
    pub heals: String,
}

/// An example that no real cluster has confirmed yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unwitnessed {
    /// The rule's code, or the name of a row of the reference table.
    pub subject: String,
    /// The heading of the example on the page.
    pub example: String,
    /// Why not.
    pub because: String,
}

/// Everything that was confirmed, in the order of rules and rows.
pub fn witnessed() -> impl Iterator<Item = Witnessed> {
    read_witnessed(include_str!("../data/witness.tsv")).into_iter()
}

/// Everything that was not, with the reason.
pub fn unwitnessed() -> impl Iterator<Item = Unwitnessed> {
    read_unwitnessed(include_str!("../data/unwitnessed.tsv")).into_iter()
}

/// Reads a table that the witness has written.
#[must_use]
pub fn read_witnessed(text: &str) -> Vec<Witnessed> {
    let rows = rows(text);
    rows.map(|[subject, example, versions, heals]| Witnessed { subject, example, versions, heals }).collect()
}

/// Reads the table of reasons.
#[must_use]
pub fn read_unwitnessed(text: &str) -> Vec<Unwitnessed> {
    let rows = rows(text);
    rows.map(|[subject, example, because, _]| Unwitnessed { subject, example, because }).collect()
}

fn rows(text: &str) -> impl Iterator<Item = [String; 4]> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    lines.map(|line| {
        let mut cells = line.split('\t').map(str::to_owned);
        [(); 4].map(|()| cells.next().unwrap_or_default())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Page;
    use std::collections::BTreeSet;

    fn key(subject: &str, example: &str) -> (String, String) {
        (subject.to_owned(), example.to_owned())
    }

    #[test]
    fn every_racy_example_is_witnessed_or_says_why_not() {
        let confirmed: BTreeSet<_> = witnessed().map(|row| key(&row.subject, &row.example)).collect();
        let open: BTreeSet<_> = unwitnessed().map(|row| key(&row.subject, &row.example)).collect();
        assert!(confirmed.is_disjoint(&open), "{:?}", confirmed.intersection(&open).collect::<Vec<_>>());
        let mut known = BTreeSet::new();
        for rule in crate::rules() {
            let page = Page::parse(rule.page);
            known.extend(page.examples.iter().map(|example| key(rule.code.0, &example.name)));
        }
        known.extend(crate::reference_ids().map(|id| key(&id, "Example")));
        let said: BTreeSet<_> = confirmed.union(&open).cloned().collect();
        assert_eq!(
            said.difference(&known).collect::<Vec<_>>(),
            Vec::<&(String, String)>::new(),
            "no such example"
        );
        assert_eq!(
            known.difference(&said).collect::<Vec<_>>(),
            Vec::<&(String, String)>::new(),
            "nothing is said of"
        );
    }

    #[test]
    fn every_reason_is_a_sentence() {
        for row in unwitnessed() {
            assert!(row.because.len() > 20, "{row:?}");
        }
    }
}
