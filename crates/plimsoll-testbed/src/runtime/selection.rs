//! Label selectors of the kubelet's filters.

use std::collections::HashMap;

/// Whether labels have all that a selector names.
#[must_use]
pub(crate) fn selects(selector: &HashMap<String, String>, labels: &HashMap<String, String>) -> bool {
    selector.iter().all(|(name, value)| labels.get(name) == Some(value))
}
