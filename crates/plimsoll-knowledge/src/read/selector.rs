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

/// A selector as written on a command line: `app=web,tier!=db,env in (a,b),!canary`.
#[derive(Debug)]
pub(crate) struct Wanted(Vec<Term>);

#[derive(Debug)]
struct Term {
    key: String,
    values: Option<Vec<String>>,
    is_negated: bool,
}

/// Reads a selector from a command line; `None` if it is not one.
pub(crate) fn parse(text: &str) -> Option<Wanted> {
    let mut terms = Vec::new();
    for part in split_outside_parentheses(text) {
        terms.push(term(part.trim())?);
    }
    Some(Wanted(terms))
}

fn split_outside_parentheses(text: &str) -> Vec<&str> {
    let mut depth = 0usize;
    let parts = text.split(|c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    parts.filter(|part| !part.trim().is_empty()).collect()
}

fn term(text: &str) -> Option<Term> {
    let listed = |rest: &str| -> Option<Vec<String>> {
        let inner = rest.trim().strip_prefix('(')?.strip_suffix(')')?;
        Some(inner.split(',').map(|value| value.trim().to_owned()).collect())
    };
    let made = |key: &str, values, is_negated| Some(Term { key: key.trim().to_owned(), values, is_negated });
    if let Some((key, rest)) = text.split_once(" notin ") {
        return made(key, Some(listed(rest)?), true);
    }
    if let Some((key, rest)) = text.split_once(" in ") {
        return made(key, Some(listed(rest)?), false);
    }
    if let Some((key, value)) = text.split_once("!=") {
        return made(key, Some(vec![value.trim().to_owned()]), true);
    }
    if let Some((key, value)) = text.split_once('=') {
        return made(key, Some(vec![value.trim_start_matches('=').trim().to_owned()]), false);
    }
    match text.strip_prefix('!') {
        Some(key) => made(key, None, true),
        None => made(text, None, false),
    }
}

impl Wanted {
    /// Whether a map of labels satisfies every term.
    pub(crate) fn matches(&self, labels: Option<&Node>) -> bool {
        self.0.iter().all(|term| {
            let value = labels.and_then(|labels| labels.get(&term.key)).and_then(Node::text);
            let found = match (&term.values, value) {
                (_, None) => false,
                (None, Some(_)) => true,
                (Some(values), Some(value)) => values.iter().any(|one| one == value),
            };
            found != term.is_negated
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_are_split_outside_parentheses() {
        let wanted = parse("app in (web, db),tier!=x,!canary").unwrap();
        assert_eq!(wanted.0.len(), 3);
        assert!(!wanted.matches(None), "app is missing");
        assert!(parse("tier!=x,!canary").unwrap().matches(None));
    }
}
