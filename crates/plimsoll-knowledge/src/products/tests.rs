//! Every row makes what its example says, and nothing where somebody else makes it.

use super::*;
use crate::sample;
use crate::view::Scene;
use plimsoll_model::Operation;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct Example {
    spec: Json,
    makes: String,
}

/// What a row makes of an object.
fn made(row: &Row, of: &str, spec: &Json) -> String {
    let (group, kind) = of.split_once('/').expect("a group");
    let kind = kind.split('|').next().expect("a kind");
    let (group, kind) = if group == "*" { ("acme.io", "Database") } else { (group, kind) };
    let written = json!({
        "apiVersion": format!("{group}/v1"), "kind": kind,
        "metadata": {"name": "shop", "namespace": "here"}, "spec": spec,
    });
    let there = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "there"}});
    let bundle = sample::bundle(&[written.clone(), there]);
    let scene = Scene { kube_version: plimsoll_schema::newest(), operation: Operation::Install };
    let view = View::new(&bundle, scene);
    let object = sample::object(&written);
    assert!(row.is_of(&object.id), "{}", row.id);
    row.products(&view, &object).iter().map(Product::told).collect::<Vec<_>>().join(", ")
}

fn table() -> Vec<Row> {
    let table: Table = toml::from_str(include_str!("../../data/products.toml")).expect("products.toml");
    table.product
}

#[test]
fn every_row_makes_what_its_example_says() {
    let mut examples: BTreeMap<String, Example> =
        toml::from_str(include_str!("examples.toml")).expect("examples.toml");
    for row in table() {
        let Example { spec, makes } =
            examples.remove(&row.id).unwrap_or_else(|| panic!("no example of {}", row.id));
        assert_eq!(made(&row, &row.of, &spec), makes, "{}", row.id);
    }
    assert!(examples.is_empty(), "examples of no row: {:?}", examples.keys());
}

#[test]
fn nothing_is_made_where_somebody_else_makes_it() {
    let table = table();
    let made = |id: &str, spec: &Json| {
        let row = table.iter().find(|row| row.id == id).expect("a row");
        made(row, &row.of, spec)
    };
    let nothing = [
        ("vault-secret", json!({"destination": {"name": "a", "create": false}})),
        ("cnpg-application-user", json!({"bootstrap": {"initdb": {"secret": {"name": "own"}}}})),
        ("kafka-authority", json!({"clusterCa": {"generateCertificateAuthority": false}})),
        ("collector-service", json!({"mode": "sidecar"})),
        ("doppler-secret", json!({})),
    ];
    for (id, spec) in nothing {
        assert_eq!(made(id, &spec), "", "{id}");
    }
    assert_eq!(
        made("kafka-authority", &json!({"clusterCa": {"renewalDays": 9}})),
        "Secret/here/shop-cluster-ca-cert ca.crt,ca.p12,ca.password"
    );
    assert_eq!(made("mariadb-connection", &json!({})), "Secret/here/shop");
    assert_eq!(
        made("crossplane-connection", &json!({"writeConnectionSecretToRef": {"name": "db"}})),
        "Secret/here/db"
    );
}

#[test]
fn every_row_says_where_it_was_read() {
    for row in table() {
        assert!(row.source.len() > 20 && row.of.contains('/'), "{}", row.id);
        let is_known = matches!(row.makes.as_str(), "Secret" | "ConfigMap" | "Service");
        assert!(is_known, "{} makes what?", row.id);
    }
}
