//! Fields of a kustomization, read as Go reads them into a struct: names in any case, null is nothing, another type is
//! refused (`sigs.k8s.io/kustomize/api` v0.21.1, `types/kustomization.go`, `Unmarshal`).

use crate::refusal::Refusal;
use plimsoll_model::{Key, Node, Place, Value};
use std::collections::BTreeMap;

/// A map whose fields are known.
#[derive(Debug, Clone)]
pub(crate) struct Fields<'n> {
    node: &'n Node,
}

/// Text by name, each with its place.
pub(crate) type Pairs = BTreeMap<Box<str>, (Box<str>, Place)>;

impl<'n> Fields<'n> {
    pub(crate) fn of(node: &'n Node) -> Result<Self, Refusal> {
        match node.value {
            Value::Map(_) | Value::Null => Ok(Self { node }),
            _ => Err(Refusal::new(node.place, "kustomize refuses anything but a map of fields here")),
        }
    }

    pub(crate) fn entries(&self) -> &'n [(Key, Node)] {
        self.node.entries()
    }

    pub(crate) fn place(&self) -> Place {
        self.node.place
    }

    /// Refuses fields with other names.
    pub(crate) fn only(&self, names: &[&str]) -> Result<(), Refusal> {
        let is_known = |key: &Key| names.iter().any(|name| name.eq_ignore_ascii_case(&key.text));
        match self.entries().iter().find(|(key, _)| !is_known(key)) {
            Some((key, _)) => {
                let cause = format!("kustomize refuses the field `{}`, which it does not know", key.text);
                Err(Refusal::new(key.place, cause))
            }
            None => Ok(()),
        }
    }

    /// The value of a field that is not null.
    pub(crate) fn get(&self, name: &str) -> Option<&'n Node> {
        let found = self.entries().iter().rfind(|(key, _)| key.text.eq_ignore_ascii_case(name));
        found.map(|(_, node)| node).filter(|node| !node.is_null())
    }

    /// The text of a field, or an empty one.
    pub(crate) fn text(&self, name: &str) -> Result<&'n str, Refusal> {
        self.get(name).map_or(Ok(""), text)
    }

    /// The text of a field with its place, if there is one.
    pub(crate) fn placed(&self, name: &str) -> Result<Option<(&'n str, Place)>, Refusal> {
        let found = self.get(name).map(|node| Ok((text(node)?, node.place))).transpose()?;
        Ok(found.filter(|(text, _)| !text.is_empty()))
    }

    pub(crate) fn truth(&self, name: &str) -> Result<bool, Refusal> {
        match self.get(name).map(|node| (&node.value, node.place)) {
            None => Ok(false),
            Some((Value::Bool(value), _)) => Ok(*value),
            Some((_, place)) => Err(Refusal::new(place, "kustomize refuses anything but true or false here")),
        }
    }

    pub(crate) fn number(&self, name: &str) -> Result<i64, Refusal> {
        match self.get(name).map(|node| (&node.value, node.place)) {
            None => Ok(0),
            Some((Value::Int(value), _)) => Ok(*value),
            Some((_, place)) => {
                Err(Refusal::new(place, "kustomize refuses anything but a whole number here"))
            }
        }
    }

    pub(crate) fn items(&self, name: &str) -> Result<&'n [Node], Refusal> {
        self.get(name).map_or(Ok(&[]), Self::list)
    }

    /// The items of a list; null is an empty one.
    pub(crate) fn list(node: &'n Node) -> Result<&'n [Node], Refusal> {
        match &node.value {
            Value::List(items) => Ok(items),
            Value::Null => Ok(&[]),
            _ => Err(Refusal::new(node.place, "kustomize refuses anything but a list here")),
        }
    }

    /// The texts of a list, each with its place.
    pub(crate) fn texts(&self, name: &str) -> Result<Vec<(&'n str, Place)>, Refusal> {
        self.items(name)?.iter().map(|item| Ok((text(item)?, item.place))).collect()
    }

    /// A map of texts.
    pub(crate) fn pairs(&self, name: &str) -> Result<Pairs, Refusal> {
        let Some(node) = self.get(name) else { return Ok(Pairs::new()) };
        let entries = Fields::of(node)?.entries().iter();
        entries.map(|(key, node)| Ok((key.text.clone(), (text(node)?.into(), node.place)))).collect()
    }

    /// The fields of a map inside, if there is one.
    pub(crate) fn inner(&self, name: &str) -> Result<Option<Fields<'n>>, Refusal> {
        self.get(name).map(Fields::of).transpose()
    }
}

fn text(node: &Node) -> Result<&str, Refusal> {
    match &node.value {
        Value::Text(text) => Ok(text),
        Value::Null => Ok(""),
        _ => Err(Refusal::new(node.place, "kustomize refuses anything but text here; quote it")),
    }
}

/// The text of a field, or an empty one where there is no text.
pub(crate) fn text_of<'n>(node: &'n Node, name: &str) -> &'n str {
    node.get(name).and_then(Node::text).unwrap_or_default()
}
