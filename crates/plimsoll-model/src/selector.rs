//! Which objects a command means by their labels.

use crate::Node;

/// A label selector as written on a command line: `app=web,tier!=db,env in (a,b),!canary`.
#[derive(Debug)]
pub struct Selector(Vec<Term>);

#[derive(Debug)]
struct Term {
    key: String,
    values: Option<Vec<String>>,
    is_negated: bool,
}

impl Selector {
    /// Reads a selector from a command line; `None` if it is not one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let parts = split_outside_parentheses(text).into_iter();
        parts.map(|part| term(part.trim())).collect::<Option<_>>().map(Self)
    }

    /// The labels that must have one certain value: key and value.
    pub fn values(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().filter(|term| !term.is_negated).filter_map(|term| match term.values.as_deref() {
            Some([value]) => Some((term.key.as_str(), value.as_str())),
            _ => None,
        })
    }

    /// Whether a map of labels satisfies every term.
    #[must_use]
    pub fn matches(&self, labels: Option<&Node>) -> bool {
        self.selects(|key| labels?.get(key)?.text())
    }

    /// Whether labels, each looked up by its key, satisfy every term.
    pub fn selects<'l>(&self, label: impl Fn(&str) -> Option<&'l str>) -> bool {
        self.0.iter().all(|term| {
            let found = match (&term.values, label(&term.key)) {
                (_, None) => false,
                (None, Some(_)) => true,
                (Some(values), Some(value)) => values.iter().any(|one| one == value),
            };
            found != term.is_negated
        })
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_are_split_outside_parentheses() {
        let wanted = Selector::parse("app in (web, db),tier!=x,!canary").unwrap();
        assert_eq!(wanted.0.len(), 3);
        assert!(!wanted.matches(None), "app is missing");
        assert!(Selector::parse("tier!=x,!canary").unwrap().matches(None));
    }
}
