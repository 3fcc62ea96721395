//! Webhooks that change a pod only where an annotation asks for it: one data table, `data/injectors.toml`, knows which.

use crate::read::intercepted::Intercepted;
use crate::read::pods::Pods;
use crate::read::webhook::Webhook;
use crate::view::View;
use plimsoll_model::{Mark, Node, ObjectId, Written};
use serde::Deserialize;
use std::sync::LazyLock;

/// The rows of `data/injectors.toml`.
static TABLE: LazyLock<Table> =
    LazyLock::new(|| toml::from_str(include_str!("../data/injectors.toml")).unwrap_or_default());

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    injector: Vec<Injector>,
    asking: Vec<Asking>,
}

/// What asks on a Namespace for the change of its pods.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asking {
    field: String,
    key: String,
    own: String,
    off: Vec<String>,
    #[cfg_attr(not(test), expect(dead_code, reason = "a row without a source does not parse"))]
    source: String,
}

/// A webhook that goes by annotations.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Injector {
    #[cfg_attr(not(test), expect(dead_code, reason = "what people call the row"))]
    id: String,
    webhook: String,
    #[serde(default)]
    beside: String,
    annotations: Vec<String>,
    off: Vec<String>,
    at: Vec<String>,
    #[cfg_attr(not(test), expect(dead_code, reason = "a row without a source does not parse"))]
    source: String,
}

/// What is known of a webhook.
pub(crate) fn of(webhook: &Webhook<'_>) -> Option<&'static Injector> {
    TABLE.injector.iter().find(|injector| {
        injector.webhook == webhook.name()
            && (injector.beside.is_empty() || webhook.is_beside(&injector.beside))
    })
}

/// Whether what a command writes on a Namespace asks for the change of pods, which do not refuse it.
pub(crate) fn is_asking(mark: &Mark, pods: &Pods<'_>) -> bool {
    let Written::As(value) = &mark.written else { return false };
    let is_it = |asking: &&Asking| asking.field == mark.field && asking.key == mark.key;
    TABLE.asking.iter().find(is_it).is_some_and(|asking| {
        let own =
            [pods.labels, pods.annotations].into_iter().flatten().find_map(|map| map.text_at(&[&asking.own]));
        let is_off = |value: &str| asking.off.iter().any(|off| off == value);
        !is_off(value) && !own.is_some_and(is_off)
    })
}

impl Injector {
    /// Whether the pods of a write ask for it.
    pub(crate) fn is_asked(&self, view: &View<'_>, write: &Intercepted<'_>) -> bool {
        let Some(pods) = view.pods_of(&write.owner.id) else { return false };
        let namespace = ObjectId::new("", "Namespace", None, pods.namespace());
        let namespace = || view.object(&namespace)?.root.at(&["metadata", "annotations"]);
        let said = self.at.iter().find_map(|place| match place.as_str() {
            "pod" => self.said(pods.annotations),
            _ => self.said(namespace()),
        });
        said.is_some_and(|value| !self.off.iter().any(|off| off == value))
    }

    /// What the annotations say.
    fn said<'a>(&self, annotations: Option<&'a Node>) -> Option<&'a str> {
        let is_meant = |key: &str| {
            self.annotations.iter().any(|known| match known.strip_suffix('*') {
                Some(beginning) => key.starts_with(beginning),
                None => key == known,
            })
        };
        annotations?.entries().iter().find(|(key, _)| is_meant(&key.text)).and_then(|(_, value)| value.text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_data_file_is_understood() {
        let table: Table = toml::from_str(include_str!("../data/injectors.toml")).expect("injectors.toml");
        for row in &table.asking {
            assert!(
                row.source.len() > 20 && ["labels", "annotations"].contains(&row.field.as_str()),
                "{row:?}"
            );
        }
        for row in table.injector {
            assert!(row.source.len() > 20 && !row.annotations.is_empty(), "{}", row.id);
            assert!(row.at.iter().all(|place| matches!(place.as_str(), "pod" | "namespace")), "{}", row.id);
        }
    }
}
