//! What operators make of objects while they run: one data table, `data/products.toml`, knows under which names.

use crate::view::View;
use plimsoll_model::{Node, Object, ObjectId, Value};
use serde::Deserialize;
use std::sync::LazyLock;

/// The rows of `data/products.toml`.
static PRODUCTS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let table: Table = toml::from_str(include_str!("../data/products.toml")).unwrap_or_default();
    table.product
});

/// Reads the table.
pub(crate) fn prepare() {
    LazyLock::force(&PRODUCTS);
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    product: Vec<Row>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    #[cfg_attr(not(test), expect(dead_code, reason = "what people call the row"))]
    id: String,
    of: String,
    makes: String,
    name: String,
    #[serde(default)]
    namespace: String,
    #[serde(default)]
    each: String,
    #[serde(default)]
    when: Vec<String>,
    #[serde(default)]
    unless: Vec<String>,
    #[serde(default)]
    keys: Vec<String>,
    #[cfg_attr(not(test), expect(dead_code, reason = "a row without a source does not parse"))]
    source: String,
}

/// What an operator or a program makes at run time.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Product {
    pub(crate) id: ObjectId,
    /// The keys that are in it, where that is known.
    keys: Option<Vec<String>>,
}

impl Product {
    pub(crate) fn new(kind: &str, namespace: &str, name: &str, keys: Option<Vec<String>>) -> Self {
        Self { id: ObjectId::new("", kind, Some(namespace), name), keys }
    }

    /// Whether a key may be in it.
    pub(crate) fn may_have(&self, key: &str) -> bool {
        self.keys.as_ref().is_none_or(|keys| keys.iter().any(|written| written == key))
    }

    /// The kind and name, and the keys that are known.
    #[cfg(test)]
    pub(crate) fn told(&self) -> String {
        format!("{} {}", self.id, self.keys.as_deref().unwrap_or_default().join(",")).trim_end().to_owned()
    }
}

/// Everything that operators make of an object.
pub(crate) fn products(view: &View<'_>, object: &Object) -> Vec<Product> {
    let rows = PRODUCTS.iter().filter(|row| row.is_of(&object.id));
    rows.flat_map(|row| row.products(view, object)).collect()
}

impl Row {
    fn is_of(&self, id: &ObjectId) -> bool {
        let (group, kinds) = self.of.split_once('/').unwrap_or_default();
        (group == "*" || group == id.group()) && kinds.split('|').any(|kind| kind == "*" || kind == id.kind())
    }

    fn products(&self, view: &View<'_>, object: &Object) -> Vec<Product> {
        if !self.when.iter().all(|field| says(&object.root, field, false))
            || self.unless.iter().any(|field| says(&object.root, field, true))
        {
            return Vec::new();
        }
        if self.each.is_empty() {
            return self.made_of(view, &Part { object, element: &object.root, key: "" });
        }
        let Some(elements) = at(&object.root, &self.each) else { return Vec::new() };
        let items = elements.items().iter().map(|element| Part { object, element, key: "" });
        let entries =
            elements.entries().iter().map(|(key, element)| Part { object, element, key: &key.text });
        items.chain(entries).flat_map(|part| self.made_of(view, &part)).collect()
    }

    fn made_of(&self, view: &View<'_>, part: &Part<'_>) -> Vec<Product> {
        let Some(name) = part.filled(&self.name) else { return Vec::new() };
        let keys = self.keys.iter().flat_map(|key| match key.strip_prefix('@') {
            Some(path) => part.field(path).map_or_else(Vec::new, names),
            None => vec![key.clone()],
        });
        let keys: Option<Vec<String>> = (!self.keys.is_empty()).then(|| keys.collect());
        let made = |namespace: &str| Product::new(&self.makes, namespace, &name, keys.clone());
        if self.namespace == EVERYWHERE {
            return view.namespaces().into_iter().map(made).collect();
        }
        let namespace = part.filled(&self.namespace).filter(|text| !text.is_empty());
        namespace.as_deref().or(part.object.id.namespace()).map(made).into_iter().collect()
    }
}

/// The namespace of what comes into every one.
const EVERYWHERE: &str = "*";

/// Whether a field has the value of `FIELD=VALUE`; of a field alone, whether it is true, or where `mere` only there.
fn says(root: &Node, condition: &str, mere: bool) -> bool {
    let is_written = |node: &Node, wanted: &str| match node.value {
        Value::Bool(value) => wanted == if value { "true" } else { "false" },
        _ => node.text() == Some(wanted),
    };
    match condition.split_once('=') {
        Some((path, value)) => at(root, path).is_some_and(|node| is_written(node, value)),
        None => at(root, condition).is_some_and(|node| mere || is_written(node, "true")),
    }
}

/// What one product is made of: an object, or one element of it with the key of that.
struct Part<'a> {
    object: &'a Object,
    element: &'a Node,
    key: &'a str,
}

impl<'a> Part<'a> {
    /// A text with its fields filled in; nothing where one is missing.
    fn filled(&self, text: &str) -> Option<String> {
        let mut filled = String::new();
        let mut rest = text;
        while let Some((before, (path, after))) =
            rest.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)))
        {
            filled.push_str(before);
            match path {
                "." => filled.push_str(&self.key.replace('_', "-")),
                _ => filled.push_str(path.split('|').find_map(|path| self.field(path)?.text())?),
            }
            rest = after;
        }
        filled.push_str(rest);
        Some(filled)
    }

    fn field(&self, path: &str) -> Option<&'a Node> {
        match path.strip_prefix('.') {
            Some(path) => at(self.element, path),
            None => at(&self.object.root, path),
        }
    }
}

fn at<'a>(node: &'a Node, path: &str) -> Option<&'a Node> {
    node.at(&path.split('.').collect::<Vec<_>>())
}

fn names(node: &Node) -> Vec<String> {
    node.entries().iter().map(|(key, _)| key.text.to_string()).collect()
}

#[cfg(test)]
mod tests;
