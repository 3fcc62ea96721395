//! Labels and the selectors that match them.

use plimsoll_model::Node;

/// Pairs of label and value that must all be there: `spec.selector` of a Service, `matchLabels`.
#[derive(Debug, Default)]
pub(crate) struct Labels<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Labels<'a> {
    /// The pairs of a map of labels.
    pub(crate) fn of(node: Option<&'a Node>) -> Self {
        let entries = node.map_or(&[][..], Node::entries);
        Self(entries.iter().map(|(key, value)| (&*key.text, value.text().unwrap_or_default())).collect())
    }

    /// One of the pairs.
    pub(crate) fn first(&self) -> Option<(&'a str, &'a str)> {
        self.0.first().copied()
    }

    /// Whether a map of labels has every pair.
    pub(crate) fn match_node(&self, labels: Option<&Node>) -> bool {
        self.0
            .iter()
            .all(|(key, value)| labels.and_then(|labels| labels.get(key)).and_then(Node::text) == Some(value))
    }
}

/// Whether a `LabelSelector` (`matchLabels` and `matchExpressions`) matches a map of labels. An empty or missing
/// selector matches everything; apimachinery v0.36.4 `pkg/apis/meta/v1/helpers.go`.
pub(crate) fn selects(selector: Option<&Node>, label: impl Fn(&str) -> Option<String>) -> bool {
    let Some(selector) = selector else { return true };
    let equal = selector.get("matchLabels").map_or(&[][..], Node::entries);
    let expressions = selector.list_at(&["matchExpressions"]);
    equal.iter().all(|(key, value)| label(&key.text).as_deref() == value.text())
        && expressions.iter().all(|expression| satisfies(expression, &label))
}

fn satisfies(expression: &Node, label: &impl Fn(&str) -> Option<String>) -> bool {
    let value = label(expression.text_at(&["key"]).unwrap_or_default());
    let listed = || {
        let values = expression.list_at(&["values"]);
        value.as_deref().is_some_and(|value| values.iter().any(|one| one.text() == Some(value)))
    };
    match expression.text_at(&["operator"]) {
        Some("In") => listed(),
        Some("NotIn") => !listed(),
        Some("Exists") => value.is_some(),
        Some("DoesNotExist") => value.is_none(),
        _ => false,
    }
}
