//! Reads the tables of `data/`, once. A row that does not parse is left out here and fails a test.

use crate::known::Known;
use crate::{Scope, Verbs, Version};
use std::sync::LazyLock;

/// Every built-in kind in every API version: those of the known minors, then those removed before.
pub(crate) static BUILTIN: LazyLock<Vec<KindVersion>> = LazyLock::new(|| {
    let known = lines(KINDS).filter_map(KindVersion::read_known);
    known.chain(lines(REMOVED).filter_map(KindVersion::read_removed)).collect()
});

/// Custom kinds of popular projects.
pub(crate) static CUSTOM: LazyLock<Vec<Known>> =
    LazyLock::new(|| lines(ECOSYSTEM).filter_map(read_custom).collect());

const KINDS: &str = include_str!("../data/kinds.tsv");
const REMOVED: &str = include_str!("../data/removed.tsv");
const ECOSYSTEM: &str = include_str!("../data/ecosystem.tsv");

/// A kind in one API version.
pub(crate) struct KindVersion {
    pub(crate) known: Known,
    /// As objects write it: `v1`, `apps/v1`.
    pub(crate) api_version: &'static str,
    /// The servers that serve it by default.
    pub(crate) served: Option<Span>,
    /// The servers that have it and serve it only on request.
    pub(crate) optional: Option<Span>,
    /// The group that has the kind after this version was removed.
    pub(crate) moved_to: Option<&'static str>,
}

/// Versions without a gap, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) first: Version,
    pub(crate) last: Version,
}

impl Span {
    pub(crate) fn contains(self, version: Version) -> bool {
        (self.first..=self.last).contains(&version)
    }

    /// Whether it reaches the known versions.
    pub(crate) fn is_recent(self) -> bool {
        Version::OLDEST <= self.last
    }

    /// What begins with the oldest known version began at or before it, and what the newest has may stay for ever.
    fn read_known(text: &str) -> Option<Self> {
        let (first, last) = text.split_once('-')?;
        let (first, last) = (read_version(first)?, read_version(last)?);
        Some(Self {
            first: if first == Version::OLDEST { Version { minor: 0 } } else { first },
            last: if last == Version::NEWEST { Version { minor: u32::MAX } } else { last },
        })
    }
}

impl KindVersion {
    fn read_known(line: &'static str) -> Option<Self> {
        let [api_version, kind, plural, short, scope, verbs, served, optional] = fields(line)?;
        let (scope, verbs) = (read_scope(scope)?, read_verbs(verbs)?);
        let short = none_if_dash(short).unwrap_or_default();
        Some(Self {
            known: Known { group: group_of(api_version), kind, plural, short, scope, verbs },
            api_version,
            served: Span::read_known(served),
            optional: Span::read_known(optional),
            moved_to: None,
        })
    }

    fn read_removed(line: &'static str) -> Option<Self> {
        let [api_version, kind, plural, scope, introduced, removed, moved_to] = fields(line)?;
        let scope = read_scope(scope)?;
        let last = Version { minor: read_version(removed)?.minor.checked_sub(1)? };
        Some(Self {
            known: Known { group: group_of(api_version), kind, plural, short: "", scope, verbs: Verbs::All },
            api_version,
            served: Some(Span { first: read_version(introduced)?, last }),
            optional: None,
            moved_to: none_if_dash(moved_to),
        })
    }
}

/// `apps/v1` is of the group `apps`; `v1` is of the core group, whose name is empty.
pub(crate) fn group_of(api_version: &str) -> &str {
    api_version.split_once('/').map_or("", |(group, _)| group)
}

/// The version of `apps/v1` is `v1`.
pub(crate) fn version_of(api_version: &str) -> &str {
    api_version.split_once('/').map_or(api_version, |(_, version)| version)
}

fn read_custom(line: &'static str) -> Option<Known> {
    let [group, kind, plural, short, scope, _source] = fields(line)?;
    let short = none_if_dash(short).unwrap_or_default();
    Some(Known { group, kind, plural, short, scope: read_scope(scope)?, verbs: Verbs::All })
}

fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter(|line| !line.starts_with('#'))
}

/// Exactly `N` fields, none of them empty.
fn fields<const N: usize>(line: &'static str) -> Option<[&'static str; N]> {
    let mut rest = line.split('\t');
    let fields = [(); N].map(|()| rest.next().unwrap_or_default());
    (rest.next().is_none() && fields.iter().all(|field| !field.is_empty())).then_some(fields)
}

fn none_if_dash(text: &'static str) -> Option<&'static str> {
    (text != "-").then_some(text)
}

fn read_version(text: &str) -> Option<Version> {
    text.parse().ok().map(|minor| Version { minor })
}

fn read_scope(text: &str) -> Option<Scope> {
    match text {
        "Namespaced" => Some(Scope::Namespaced),
        "Cluster" => Some(Scope::Cluster),
        _ => None,
    }
}

fn read_verbs(text: &str) -> Option<Verbs> {
    match text {
        "all" => Some(Verbs::All),
        "create" => Some(Verbs::CreateOnly),
        "read" => Some(Verbs::ReadOnly),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
