//! ResourceQuotas: what they count, and in which words.

use super::amounts::Amount;
use crate::view::View;
use plimsoll_model::{Node, Object};

/// The quotas of the input that count every pod of their namespace. One with scopes counts only some.
pub(crate) fn unscoped<'a>(view: &View<'a>) -> Vec<&'a Object> {
    let mut quotas = view.of_kind("", "ResourceQuota");
    quotas.retain(|quota| {
        quota.root.list_at(&["spec", "scopes"]).is_empty()
            && quota.root.at(&["spec", "scopeSelector"]).is_none()
    });
    quotas
}

/// The hard limits of a quota by name, as written.
pub(crate) fn hard(quota: &Object) -> impl Iterator<Item = (&str, &Node)> {
    let entries = quota.root.at(&["spec", "hard"]).map_or(&[][..], Node::entries);
    entries.iter().map(|(key, value)| (&*key.text, value))
}

/// The amount of which resource a quota counts under a name.
pub(crate) fn compute(name: &str) -> Option<(Amount, &'static str)> {
    match name {
        "cpu" | "requests.cpu" => Some((Amount::Request, "cpu")),
        "memory" | "requests.memory" => Some((Amount::Request, "memory")),
        "limits.cpu" => Some((Amount::Limit, "cpu")),
        "limits.memory" => Some((Amount::Limit, "memory")),
        _ => None,
    }
}
