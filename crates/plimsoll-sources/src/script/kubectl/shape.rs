//! Nodes that stand for a part of a command: all of them are at its place.

use plimsoll_model::{Concealed, Key, Node, Place, Value};

pub(super) struct Shape {
    pub(super) place: Place,
}

impl Shape {
    fn node(&self, value: Value) -> Node {
        Node { value, place: self.place }
    }

    pub(super) fn text(&self, text: &str) -> Node {
        self.node(Value::Text(text.into()))
    }

    pub(super) fn concealed(&self, text: String) -> Node {
        self.node(Value::Concealed(Concealed::new(text.into())))
    }

    pub(super) fn number_or_text(&self, text: &str) -> Node {
        self.node(text.parse().map_or_else(|_| Value::Text(text.into()), Value::Int))
    }

    pub(super) fn list(&self, items: impl IntoIterator<Item = Node>) -> Node {
        self.node(Value::List(items.into_iter().collect()))
    }

    /// A map; of two equal keys the first counts.
    pub(super) fn map<K: AsRef<str>>(&self, entries: impl IntoIterator<Item = (K, Node)>) -> Node {
        let mut kept: Vec<(Key, Node)> = Vec::new();
        for (key, value) in entries {
            if kept.iter().all(|(known, _)| &*known.text != key.as_ref()) {
                kept.push((Key { text: key.as_ref().into(), place: self.place }, value));
            }
        }
        self.node(Value::Map(kept))
    }

    pub(super) fn metadata(&self, name: &str, namespace: Option<&str>) -> Node {
        let named = [("name", self.text(name))].into_iter();
        self.map(named.chain(namespace.map(|namespace| ("namespace", self.text(namespace)))))
    }
}
