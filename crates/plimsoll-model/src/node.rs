//! A YAML value in which every node knows its place.

use crate::Place;
use std::fmt;

/// A value and where it was written.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// Where it begins.
    pub place: Place,
}

/// A value as Kubernetes reads it: JSON, and secret text that cannot be printed by accident.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `null`, `~` or nothing.
    Null,
    /// A truth value.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A whole number above `i64::MAX`.
    Uint(u64),
    /// Any other number.
    Float(f64),
    /// Text.
    Text(Box<str>),
    /// Text under `data` or `stringData` of a Secret.
    Concealed(Concealed),
    /// A list.
    List(Vec<Node>),
    /// A map in the order of writing; keys are distinct.
    Map(Vec<(Key, Node)>),
}

/// A key of a map and where it was written.
#[derive(Debug, Clone, PartialEq)]
pub struct Key {
    /// The key's text.
    pub text: Box<str>,
    /// Where it begins.
    pub place: Place,
}

/// Text that must not be shown: `Debug` and `Display` print a mask.
#[derive(Clone, PartialEq)]
pub struct Concealed(Box<str>);

impl Concealed {
    /// Conceals a text.
    #[must_use]
    pub fn new(text: Box<str>) -> Self {
        Self(text)
    }

    /// The text itself; only `render --show-secrets` has a use for it.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Concealed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Concealed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(hidden)")
    }
}

impl Node {
    /// Whether two values mean the same, wherever they stand and in whichever order the keys of a map are written.
    #[must_use]
    pub fn means(&self, other: &Self) -> bool {
        match (&self.value, &other.value) {
            (Value::List(one), Value::List(two)) => {
                one.len() == two.len() && one.iter().zip(two).all(|(one, two)| one.means(two))
            }
            (Value::Map(_), Value::Map(_)) => self.agrees(other, |_| true),
            (one, two) => one == two,
        }
    }

    /// Whether two maps mean the same under every key that counts. Each value is looked at once: twice at every level
    /// would never end with the schema of a definition.
    #[must_use]
    pub fn agrees(&self, other: &Self, counts: impl Fn(&str) -> bool) -> bool {
        let is_said = |(key, value): &&(Key, Self)| !value.is_null() && counts(&key.text);
        let said = || self.entries().iter().filter(is_said);
        said().count() == other.entries().iter().filter(is_said).count()
            && said().all(|(key, value)| other.get(&key.text).is_some_and(|other| value.means(other)))
    }

    /// Whether it is `null`.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(self.value, Value::Null)
    }

    /// Whether it says nothing: null, or an empty text, list or map.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match &self.value {
            Value::Null => true,
            Value::Text(text) => text.is_empty(),
            Value::List(items) => items.is_empty(),
            Value::Map(entries) => entries.is_empty(),
            _ => false,
        }
    }

    /// The value under a key of a map; `None` for a missing key and for `null`, which Kubernetes treats alike.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Node> {
        let found = self.entries().iter().find(|(k, _)| &*k.text == key).map(|(_, node)| node);
        found.filter(|node| !node.is_null())
    }

    /// The value at the end of a path of keys.
    #[must_use]
    pub fn at(&self, path: &[&str]) -> Option<&Node> {
        path.iter().try_fold(self, |node, key| node.get(key))
    }

    /// The text at the end of a path of keys.
    #[must_use]
    pub fn text_at(&self, path: &[&str]) -> Option<&str> {
        self.at(path)?.text()
    }

    /// The items of the list at the end of a path of keys; empty if there is none.
    #[must_use]
    pub fn list_at(&self, path: &[&str]) -> &[Node] {
        self.at(path).map_or(&[], Node::items)
    }

    /// The truth value at the end of a path of keys.
    #[must_use]
    pub fn bool_at(&self, path: &[&str]) -> Option<bool> {
        match self.at(path)?.value {
            Value::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// The whole number at the end of a path of keys.
    #[must_use]
    pub fn int_at(&self, path: &[&str]) -> Option<i64> {
        match self.at(path)?.value {
            Value::Int(value) => Some(value),
            _ => None,
        }
    }

    /// The text of a text node.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The items of a list; empty for anything else.
    #[must_use]
    pub fn items(&self) -> &[Node] {
        match &self.value {
            Value::List(items) => items,
            _ => &[],
        }
    }

    /// The entries of a map; empty for anything else.
    #[must_use]
    pub fn entries(&self) -> &[(Key, Node)] {
        match &self.value {
            Value::Map(entries) => entries,
            _ => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(value: Value) -> Node {
        Node { value, place: Place::default() }
    }

    fn map<const N: usize>(entries: [(&str, Value); N]) -> Value {
        let entry = |(key, value): (&str, Value)| {
            let value = node(value);
            (Key { text: key.into(), place: value.place }, value)
        };
        Value::Map(entries.map(entry).into())
    }

    #[test]
    fn a_deep_schema_is_compared_in_no_time() {
        let deep = || node((0..60).fold(Value::Int(1), |inner, _| map([("properties", inner)])));
        assert!(deep().means(&deep()));
    }

    #[test]
    fn a_key_that_only_one_of_them_has_is_a_difference() {
        let small = || node(map([("a", Value::Int(1))]));
        let large = node(map([("a", Value::Int(1)), ("b", Value::Int(2))]));
        assert!(!small().means(&large) && !large.means(&small()));
        assert!(small().agrees(&large, |key| key != "b"));
        let null = node(map([("b", Value::Null), ("a", Value::Int(1))]));
        assert!(small().means(&null) && null.means(&small()), "null is what is not there");
    }
}
