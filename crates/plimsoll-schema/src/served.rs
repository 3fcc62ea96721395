//! Says whether a server of some version serves an API version of a kind by default, and what to write instead.

use crate::Version;
use crate::tables::{BUILTIN, KindVersion, version_of};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::LazyLock;

/// Whether an API version of a kind is served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Served {
    /// The server serves it by default.
    Yes,
    /// The server does not serve it by default.
    No {
        /// The first version that no longer has it, if this server comes after its end.
        removed_in: Option<Version>,
        /// The first version that serves it by default, if that is still to come.
        introduced_in: Option<Version>,
        /// The server has it and serves it only when started with `--runtime-config`, and for some with a feature gate.
        is_optional: bool,
        /// The API versions (`apps/v1`) in which this server does serve the kind, best first.
        instead: Vec<&'static str>,
    },
    /// Kubernetes has no such kind in this group, in any version: a custom kind, or a mistake.
    UnknownKind,
}

/// Whether a server serves an API version of a kind by default; `api_version` is the part after the group, `v1beta1`.
///
/// A server older or newer than the known versions is taken for the nearest of them; beta versions that were removed
/// before are known with both their ends.
#[must_use]
pub fn served(server: Version, group: &str, api_version: &str, kind: &str) -> Served {
    let Some(history) = history(group, kind) else {
        return Served::UnknownKind;
    };
    let asked = history.iter().find(|row| version_of(row.api_version) == api_version);
    if asked.is_some_and(|row| row.is_served(server)) {
        return Served::Yes;
    }
    Served::No {
        removed_in: asked.and_then(|row| row.end()).filter(|end| *end <= server),
        introduced_in: asked.and_then(|row| row.start()).filter(|start| server < *start),
        is_optional: asked.is_some_and(|row| row.is_optional(server)),
        instead: instead(server, history),
    }
}

/// Every API that a server offers by default, as `apps/v1`, and every kind of it, as `apps/v1/Deployment`.
#[must_use]
pub fn api_versions(server: Version) -> Vec<String> {
    let rows = || BUILTIN.iter().filter(|row| row.is_served(server));
    let mut offered: Vec<String> = rows().map(|row| row.api_version.to_owned()).collect();
    offered.extend(rows().map(|row| format!("{}/{}", row.api_version, row.known.kind)));
    offered.sort();
    offered.dedup();
    offered
}

/// What the server serves of a kind, in its group or in the one it moved to.
fn instead(server: Version, rows: &[&'static KindVersion]) -> Vec<&'static str> {
    let moved = rows.iter().filter_map(|row| history(row.moved_to?, row.known.kind)).flatten();
    let current = rows.iter().chain(moved).filter(|row| row.is_served(server));
    let mut found: Vec<_> = current.map(|row| row.api_version).collect();
    found.sort_by_key(|full| (Reverse(rank(version_of(full))), *full));
    found.dedup();
    found
}

impl KindVersion {
    fn is_served(&self, server: Version) -> bool {
        self.served.is_some_and(|span| span.contains(server))
    }

    fn is_optional(&self, server: Version) -> bool {
        self.optional.is_some_and(|span| span.contains(server))
    }

    /// The first version that serves it by default.
    fn start(&self) -> Option<Version> {
        self.served.map(|span| span.first)
    }

    /// The first version that has it neither by default nor on request.
    fn end(&self) -> Option<Version> {
        let last = self.served.into_iter().chain(self.optional).map(|span| span.last).max()?;
        last.minor.checked_add(1).map(|minor| Version { minor })
    }
}

/// All versions of a kind of a group.
fn history<'a>(group: &'a str, kind: &'a str) -> Option<&'a Vec<&'static KindVersion>> {
    type Histories<'a> = HashMap<(&'a str, &'a str), Vec<&'static KindVersion>>;
    static HISTORIES: LazyLock<Histories<'static>> = LazyLock::new(|| {
        let mut histories: Histories<'static> = HashMap::new();
        for row in BUILTIN.iter() {
            histories.entry((row.known.group, row.known.kind)).or_default().push(row);
        }
        histories
    });
    let histories: &Histories<'a> = &HISTORIES;
    histories.get(&(group, kind))
}

/// Kubernetes' order of versions: stable before beta before alpha, then the higher number.
fn rank(version: &str) -> (u8, u32, u32) {
    let digits = version.strip_prefix('v').unwrap_or(version);
    let number = |text: &str| text.parse().unwrap_or_default();
    if let Some((major, minor)) = digits.split_once("beta") {
        (1, number(major), number(minor))
    } else if let Some((major, minor)) = digits.split_once("alpha") {
        (0, number(major), number(minor))
    } else {
        (2, number(digits), 0)
    }
}

/// Whether an API version comes after another in the life of a kind: `v1beta1` after `v1alpha2`, `v2alpha1` after `v1`.
#[must_use]
pub fn is_later(version: &str, other: &str) -> bool {
    let age = |version: &str| {
        let (stability, major, minor) = rank(version);
        (major, stability, minor)
    };
    age(version) > age(other)
}

#[cfg(test)]
mod tests;
