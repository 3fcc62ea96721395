//! What can be referred to, as it is called now and as it was called.

use crate::identity::{Id, NO_NAMESPACE};
use crate::resource::Resource;
use rustc_hash::FxHashMap;

/// An object that may be referred to.
pub(super) struct Candidate {
    pub(super) id: Id,
    pub(super) previous: Vec<Id>,
    prefixes: Vec<Box<str>>,
    suffixes: Vec<Box<str>>,
}

/// All objects, and which of them were called what.
pub(super) struct Candidates {
    pub(super) all: Vec<Candidate>,
    by_name: FxHashMap<Box<str>, Vec<usize>>,
}

impl Candidates {
    pub(super) fn of(resources: &[Resource]) -> Self {
        let all: Vec<Candidate> = resources
            .iter()
            .map(|resource| Candidate {
                id: resource.id(),
                previous: resource.previous_ids(),
                prefixes: resource.prefixes.clone(),
                suffixes: resource.suffixes.clone(),
            })
            .collect();
        let mut by_name: FxHashMap<Box<str>, Vec<usize>> = FxHashMap::default();
        for (at, one) in all.iter().enumerate() {
            for id in &one.previous {
                let known = by_name.entry(id.name.clone()).or_default();
                if known.last() != Some(&at) {
                    known.push(at);
                }
            }
        }
        Self { all, by_name }
    }

    /// Objects that were called so, in their order.
    pub(super) fn called(&self, name: &str) -> impl Iterator<Item = (usize, &Candidate)> {
        let found = self.by_name.get(name).map_or(&[][..], Vec::as_slice);
        found.iter().filter_map(|at| Some((*at, self.all.get(*at)?)))
    }
}

impl Candidate {
    fn original(&self) -> &Id {
        self.previous.first().unwrap_or(&self.id)
    }

    pub(super) fn was_cluster_scoped(&self) -> bool {
        self.original().effective_namespace() == NO_NAMESPACE
    }

    pub(super) fn original_namespace(&self) -> &str {
        self.original().effective_namespace()
    }

    /// Whether two objects were renamed in the same folders (`resource/resource.go`, `PrefixesSuffixesEquals`).
    pub(super) fn has_same_affixes(&self, other: &Candidate, allows_none: bool) -> bool {
        let fits = |one: &[Box<str>], other: &[Box<str>]| {
            (allows_none && (one.is_empty() || other.is_empty())) || ends_alike(one, other)
        };
        fits(&self.prefixes, &other.prefixes) && fits(&self.suffixes, &other.suffixes)
    }
}

/// Whether one list is the end of the other; an empty one is the end of an empty one only.
fn ends_alike(one: &[Box<str>], other: &[Box<str>]) -> bool {
    let (short, long) = if one.len() > other.len() { (other, one) } else { (one, other) };
    if short.is_empty() { long.is_empty() } else { long.ends_with(short) }
}
