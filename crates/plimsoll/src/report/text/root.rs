//! Findings of one cause, together.

use plimsoll_model::{Finding, Operation};

/// Every pair that one cause brings about; the first is the one that is told in full.
#[derive(Debug)]
pub(super) struct Root<'a> {
    /// The pair that is told in full.
    pub(super) first: &'a Finding,
    /// The other pairs.
    pub(super) rest: Vec<&'a Finding>,
}

/// Groups findings by their cause; the causes keep the order in which they first appear.
pub(super) fn group<'a>(findings: impl Iterator<Item = &'a Finding>) -> Vec<Root<'a>> {
    let mut roots: Vec<Root<'a>> = Vec::new();
    let mut positions = std::collections::BTreeMap::new();
    for finding in findings {
        let position = *positions.entry(finding.root).or_insert(roots.len());
        match roots.get_mut(position) {
            Some(root) => root.rest.push(finding),
            None => roots.push(Root { first: finding, rest: Vec::new() }),
        }
    }
    roots
}

impl Root<'_> {
    /// How many pairs there are.
    pub(super) fn pairs(&self) -> usize {
        1 + self.rest.len()
    }

    /// The operations in which it happens, each once.
    pub(super) fn operations(&self) -> Vec<Operation> {
        let mut operations: Vec<Operation> =
            self.rest.iter().map(|finding| finding.operation).chain([self.first.operation]).collect();
        operations.sort();
        operations.dedup();
        operations
    }

    /// The other objects it concerns, each once: those that need, or else those that are needed.
    pub(super) fn others(&self) -> Vec<String> {
        let mut needing = self.named(|finding| finding.after.object.to_string());
        if needing.is_empty() {
            needing = self.named(|finding| finding.before.object.to_string());
        }
        needing
    }

    fn named(&self, name: impl Fn(&Finding) -> String) -> Vec<String> {
        let mut seen = std::collections::BTreeSet::from([name(self.first)]);
        self.rest.iter().map(|finding| name(finding)).filter(|name| seen.insert(name.clone())).collect()
    }
}
