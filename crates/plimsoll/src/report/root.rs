//! Findings of one cause, together.

use super::Told;
use plimsoll_model::{Finding, Operation};

/// Every pair that one cause brings about; the first is the one that is told in full.
#[derive(Debug)]
pub(crate) struct Root<'a> {
    /// The pair that is told in full.
    pub(crate) first: Told<'a>,
    /// The other pairs.
    pub(crate) rest: Vec<Told<'a>>,
}

/// Groups findings by their cause; the causes keep the order in which they first appear.
pub(crate) fn group<'a>(findings: impl Iterator<Item = Told<'a>>) -> Vec<Root<'a>> {
    let mut roots: Vec<Root<'a>> = Vec::new();
    let mut positions = std::collections::BTreeMap::new();
    for told in findings {
        let position = *positions.entry(told.finding.root).or_insert(roots.len());
        match roots.get_mut(position) {
            Some(root) => root.rest.push(told),
            None => roots.push(Root { first: told, rest: Vec::new() }),
        }
    }
    roots
}

impl<'a> Root<'a> {
    /// Every pair.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = Told<'a>> {
        std::iter::once(self.first).chain(self.rest.iter().copied())
    }

    /// The operations in which it happens, each once.
    pub(crate) fn operations(&self) -> Vec<Operation> {
        let mut operations: Vec<Operation> = self.pairs().map(|told| told.finding.operation).collect();
        operations.sort();
        operations.dedup();
        operations
    }

    /// The other objects it concerns, each once: those that need, or else those that are needed.
    pub(crate) fn others(&self) -> Vec<String> {
        let mut needing = self.named(|finding| finding.after.object.to_string());
        if needing.is_empty() {
            needing = self.named(|finding| finding.before.object.to_string());
        }
        needing
    }

    fn named(&self, name: impl Fn(&Finding) -> String) -> Vec<String> {
        let mut seen = std::collections::BTreeSet::from([name(self.first.finding)]);
        self.rest.iter().map(|told| name(told.finding)).filter(|name| seen.insert(name.clone())).collect()
    }
}
