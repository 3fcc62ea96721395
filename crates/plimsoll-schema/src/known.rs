//! All kinds of all tables as one list, and found by name.

use crate::tables::{BUILTIN, CUSTOM, KindVersion, group_of};
use crate::{Scope, Verbs};
use std::collections::HashMap;
use std::sync::LazyLock;

/// What is known of a kind of a group, whatever the version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) group: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) plural: &'static str,
    /// Short names with commas between them.
    pub(crate) short: &'static str,
    pub(crate) scope: Scope,
    pub(crate) verbs: Verbs,
}

/// All known kinds in the order in which a name is likely to mean them: the core group, other built-in kinds that are
/// served by default, custom kinds, then those that were removed or were never on by default.
pub(crate) static KNOWN: LazyLock<Vec<Known>> = LazyLock::new(|| {
    let builtin = BUILTIN.iter().map(|row| (likelihood(row), row.known));
    let custom = CUSTOM.iter().map(|known| (2, *known));
    let mut kinds: Vec<_> = builtin.chain(custom).collect();
    kinds.sort_by_key(|(likelihood, _)| *likelihood);
    kinds.into_iter().map(|(_, known)| known).collect()
});

/// Finds a kind of a group.
pub(crate) fn find(group: &str, kind: &str) -> Option<Known> {
    // Backwards, so that the likeliest row of a kind is the one that stays.
    static BY_KIND: LazyLock<HashMap<(&str, &str), Known>> = LazyLock::new(|| {
        let likeliest_last = KNOWN.iter().rev();
        likeliest_last.map(|known| ((known.group, known.kind), *known)).collect()
    });
    let index: &HashMap<(&str, &str), Known> = &BY_KIND;
    index.get(&(group, kind)).copied()
}

fn likelihood(row: &KindVersion) -> u8 {
    match row.served {
        Some(span) if span.is_recent() && row.known.group.is_empty() => 0,
        Some(span) if span.is_recent() => 1,
        Some(_) if row.moved_to.is_none_or(|group| group == group_of(row.api_version)) => 3,
        _ => 4,
    }
}
