//! What programs make at run time: one data table, `data/producers.toml`, knows them by image and arguments.

use crate::products::Product;
use crate::read::pods::Pods;
use plimsoll_model::Node;
use serde::Deserialize;
use std::borrow::Cow;
use std::sync::LazyLock;

/// The rows of `data/producers.toml`.
static PRODUCERS: LazyLock<Vec<Producer>> = LazyLock::new(|| {
    let table: Table = toml::from_str(include_str!("../data/producers.toml")).unwrap_or_default();
    table.producer
});

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    producer: Vec<Producer>,
}

/// A program that makes an object.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Producer {
    #[cfg_attr(not(test), expect(dead_code, reason = "what people call the row"))]
    id: String,
    image: String,
    verb: String,
    makes: String,
    name: String,
    namespace: String,
    keys: Vec<String>,
    #[cfg_attr(not(test), expect(dead_code, reason = "a row without a source does not parse"))]
    source: String,
}

/// What the containers of pods make.
pub(crate) fn products(pods: &Pods<'_>) -> Vec<Product> {
    let made = |container| PRODUCERS.iter().filter_map(move |producer| producer.product(pods, container));
    pods.all_containers().flat_map(made).collect()
}

impl Producer {
    fn product(&self, pods: &Pods<'_>, container: &Node) -> Option<Product> {
        if container.text_at(&["image"]).map(program) != Some(self.image.as_str()) {
            return None;
        }
        let line = Line::of(container);
        if !self.verb.is_empty() && !line.words.contains(&self.verb.as_str()) {
            return None;
        }
        let name = line.expanded(line.value(&self.name)?, pods)?;
        let namespace = match line.value(&self.namespace) {
            Some(text) => line.expanded(text, pods)?,
            None => pods.namespace().into(),
        };
        let key = |key: &String| match key.split_once('=') {
            Some((flag, usual)) => line.value(flag).unwrap_or(usual).to_owned(),
            None => key.clone(),
        };
        let keys = self.keys.iter().map(key).collect();
        Some(Product::new(&self.makes, &namespace, &name, Some(keys)))
    }
}

/// The last part of an image's name: `certgen` of `registry:5000/x/certgen:v1@sha256:…`.
pub(crate) fn program(image: &str) -> &str {
    let name = image.split('@').next().unwrap_or(image);
    let last = name.rsplit('/').next().unwrap_or(name);
    last.split(':').next().unwrap_or(last)
}

/// The command line of a container.
struct Line<'a> {
    container: &'a Node,
    words: Vec<&'a str>,
}

impl<'a> Line<'a> {
    fn of(container: &'a Node) -> Self {
        let words = container.list_at(&["command"]).iter().chain(container.list_at(&["args"]));
        Self { container, words: words.filter_map(Node::text).collect() }
    }

    /// The value of a flag.
    fn value(&self, flag: &str) -> Option<&'a str> {
        let behind = self.words.iter().find_map(|word| word.strip_prefix(flag)?.strip_prefix('='));
        behind.or_else(|| {
            let at = self.words.iter().position(|word| *word == flag)?;
            self.words.get(at + 1).copied()
        })
    }

    /// A word with its one variable filled in, as the kubelet does; `None` where the value is not known.
    fn expanded(&self, word: &'a str, pods: &Pods<'_>) -> Option<Cow<'a, str>> {
        let Some((before, (name, after))) =
            word.split_once("$(").and_then(|(before, rest)| Some((before, rest.split_once(')')?)))
        else {
            return Some(word.into());
        };
        let variables = self.container.list_at(&["env"]).iter();
        let variable = variables.rev().find(|variable| variable.text_at(&["name"]) == Some(name))?;
        let value = match variable.text_at(&["valueFrom", "fieldRef", "fieldPath"]) {
            Some("metadata.namespace") => pods.namespace(),
            _ => variable.text_at(&["value"])?,
        };
        Some(format!("{before}{value}{after}").into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;
    use serde_json::json;

    fn made(image: &str, args: &[&str]) -> Vec<String> {
        let variable =
            json!({"name": "HERE", "valueFrom": {"fieldRef": {"fieldPath": "metadata.namespace"}}});
        let container = json!({"name": "make", "image": image, "args": args, "env": [variable]});
        let job = sample::object(&json!({
            "apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "make", "namespace": "shop"},
            "spec": {"template": {"spec": {"containers": [container]}}},
        }));
        let pods = Pods::of(&job).expect("a Job makes pods");
        products(&pods).iter().map(Product::told).collect()
    }

    #[test]
    fn the_certificate_of_a_webhook_is_made_where_the_arguments_say() {
        let image = "registry.k8s.io:443/ingress-nginx/kube-webhook-certgen:v1.6.9@sha256:0ab1";
        assert_eq!(
            made(image, &["create", "--host=a", "--namespace=$(HERE)", "--secret-name=a-tls"]),
            ["Secret/shop/a-tls ca,cert,key"]
        );
        assert_eq!(
            made(image, &["create", "--cert-name", "tls.crt", "--secret-name", "a", "--namespace", "b"]),
            ["Secret/b/a ca,tls.crt,key"]
        );
    }

    #[test]
    fn nothing_is_made_of_what_is_not_understood() {
        let image = "jettech/kube-webhook-certgen";
        assert!(made(image, &["patch", "--secret-name=a", "--namespace=b"]).is_empty());
        assert!(made(image, &["create", "--secret-name=$(UNKNOWN)", "--namespace=b"]).is_empty());
        assert!(made("example.com/my-kube-webhook-certgen", &["create", "--secret-name=a"]).is_empty());
    }

    #[test]
    fn every_row_says_where_it_was_read() {
        let table: Table = toml::from_str(include_str!("../data/producers.toml")).expect("producers.toml");
        for row in table.producer {
            assert!(row.source.len() > 20, "{} has no source", row.id);
            assert!(matches!(row.makes.as_str(), "Secret" | "ConfigMap"), "{} makes what?", row.id);
        }
    }
}
