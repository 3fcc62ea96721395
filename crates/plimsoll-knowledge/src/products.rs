//! What operators make of objects while they run: one data table, `data/products.toml`, knows under which names.

use plimsoll_model::{Node, Object, ObjectId};
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
pub(crate) fn products(object: &Object) -> impl Iterator<Item = Product> {
    PRODUCTS.iter().filter(|row| row.is_of(&object.id)).flat_map(|row| row.products(object))
}

impl Row {
    fn is_of(&self, id: &ObjectId) -> bool {
        let (group, kinds) = self.of.split_once('/').unwrap_or_default();
        (group == "*" || group == id.group()) && kinds.split('|').any(|kind| kind == "*" || kind == id.kind())
    }

    fn products(&self, object: &Object) -> Vec<Product> {
        let is_true = |path: &String| object.root.bool_at(&path.split('.').collect::<Vec<_>>()) == Some(true);
        if !self.when.iter().all(is_true) || self.unless.iter().any(|path| at(&object.root, path).is_some()) {
            return Vec::new();
        }
        let Some(elements) = at(&object.root, &self.each).filter(|_| !self.each.is_empty()) else {
            let whole = Part { object, element: &object.root, key: "" };
            return if self.each.is_empty() {
                self.product(&whole).into_iter().collect()
            } else {
                Vec::new()
            };
        };
        let items = elements.items().iter().map(|element| Part { object, element, key: "" });
        let entries =
            elements.entries().iter().map(|(key, element)| Part { object, element, key: &key.text });
        items.chain(entries).filter_map(|part| self.product(&part)).collect()
    }

    fn product(&self, part: &Part<'_>) -> Option<Product> {
        let name = part.filled(&self.name)?;
        let namespace = part.filled(&self.namespace).filter(|text| !text.is_empty());
        let namespace = namespace.as_deref().or(part.object.id.namespace())?;
        let keys = self.keys.iter().flat_map(|key| match key.strip_prefix('@') {
            Some(path) => part.field(path).map_or_else(Vec::new, names),
            None => vec![key.clone()],
        });
        let keys = (!self.keys.is_empty()).then(|| keys.collect());
        Some(Product::new(&self.makes, namespace, &name, keys))
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
                _ => filled.push_str(self.field(path)?.text()?),
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
mod tests {
    use super::*;
    use crate::sample;
    use serde_json::{Value, json};

    fn made(kind: &str, spec: &Value) -> Vec<String> {
        let (group, kind) = kind.split_once('/').expect("a group");
        let object = sample::object(&json!({
            "apiVersion": format!("{group}/v1"), "kind": kind,
            "metadata": {"name": "shop", "namespace": "here"}, "spec": spec,
        }));
        products(&object).map(|product| product.told()).collect()
    }

    #[test]
    fn a_product_has_the_name_and_the_keys_that_its_object_tells() {
        let sealed = json!({"encryptedData": {"a": "x"}, "template": {"data": {"b": "y"}, "metadata": {"name": "other"}}});
        assert_eq!(made("bitnami.com/SealedSecret", &sealed), ["Secret/here/shop a,b"]);
        let templates =
            json!({"secretTemplates": [{"name": "one", "stringData": {"k": ""}}, {"name": "two"}]});
        assert_eq!(
            made("isindir.github.com/SopsSecret", &templates),
            ["Secret/here/one k", "Secret/here/two"]
        );
        let claim = json!({"writeConnectionSecretToRef": {"name": "db"}});
        assert_eq!(made("acme.io/Database", &claim), ["Secret/here/db"]);
        let managed = json!({"writeConnectionSecretToRef": {"name": "db", "namespace": "there"}});
        assert_eq!(made("acme.io/Database", &managed), ["Secret/there/db"]);
        let users = json!({"users": {"shop_owner": ["createdb"]}});
        let postgres = made("acid.zalan.do/postgresql", &users);
        let secret = "shop-owner.shop.credentials.postgresql.acid.zalan.do";
        assert!(postgres.iter().any(|made| *made == format!("Secret/here/{secret} username,password")));
    }

    #[test]
    fn nothing_is_made_where_somebody_else_makes_it() {
        let destination = json!({"destination": {"name": "a", "create": false}});
        assert!(made("secrets.hashicorp.com/VaultStaticSecret", &destination).is_empty());
        let destination = json!({"destination": {"name": "a", "create": true}});
        assert_eq!(made("secrets.hashicorp.com/VaultStaticSecret", &destination), ["Secret/here/a"]);
        let own = json!({"bootstrap": {"initdb": {"secret": {"name": "own"}}}});
        let database = made("postgresql.cnpg.io/Cluster", &own);
        assert!(database.iter().all(|made| made.starts_with("Service/here/shop-r")), "{database:?}");
    }

    #[test]
    fn every_row_says_where_it_was_read() {
        let table: Table = toml::from_str(include_str!("../data/products.toml")).expect("products.toml");
        for row in table.product {
            assert!(row.source.len() > 20 && row.of.contains('/'), "{}", row.id);
            let is_known = matches!(row.makes.as_str(), "Secret" | "ConfigMap" | "Service");
            assert!(is_known, "{} makes what?", row.id);
        }
    }
}
