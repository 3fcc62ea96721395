//! One row of the reference table, as data and as used.

use super::path::{Hit, Path};
use super::text_at;
use crate::clocks;
use crate::read::init_guard;
use crate::view::View;
use plimsoll_model::{Actor, Milestone, Node, Object, ObjectId, Reading};
use serde::Deserialize;
use std::sync::LazyLock;

/// The rows of `data/references.toml`.
pub(crate) static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let table: Table = toml::from_str(include_str!("../../data/references.toml")).unwrap_or_default();
    table.reference.iter().filter_map(Row::new).collect()
});

/// A reference: which field of what names which object, when it is read and how.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) consumer: Consumer,
    pub(crate) path: Path,
    pub(crate) rule: String,
    pub(crate) name: String,
    pub(crate) optional: Option<String>,
    pub(crate) optional_reading: Option<Reading>,
    pub(crate) milestone: Milestone,
    pub(crate) when: When,
    pub(crate) reading: Reading,
    pub(crate) actor: Actor,
    pub(crate) message: String,
    pub(crate) does: String,
    pub(crate) answer: String,
    pub(crate) key_answer: String,
    data: Data,
}

/// Whose field it is.
#[derive(Debug)]
pub(crate) enum Consumer {
    /// Every pod specification.
    Pod,
    /// Objects of one kind.
    Kind { group: String, kind: String },
}

/// At which moment of the consumer the reference is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    Request,
    Created,
    Observed,
    Bound,
    Started,
    Ready,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    pub(super) reference: Vec<Data>,
}

#[derive(Debug, Default, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Data {
    pub(super) id: String,
    pub(super) rule: String,
    pub(super) of: String,
    pub(super) path: String,
    #[serde(default)]
    pub(super) name: String,
    pub(super) to: String,
    #[serde(default)]
    pub(super) to_field: String,
    #[serde(default)]
    pub(super) namespace: String,
    #[serde(default)]
    pub(super) keys: String,
    #[serde(default)]
    pub(super) optional: String,
    #[serde(default)]
    pub(super) if_optional: String,
    pub(super) milestone: String,
    pub(super) when: String,
    pub(super) read: String,
    pub(super) actor: String,
    pub(super) message: String,
    pub(super) does: String,
    pub(super) answer: String,
    #[serde(default)]
    pub(super) key_answer: String,
    pub(super) source: String,
}

impl Row {
    fn new(data: &Data) -> Option<Self> {
        let consumer = match data.of.as_str() {
            "pod" => Consumer::Pod,
            other => {
                let (group, kind) = group_and_kind(other);
                Consumer::Kind { group: group.to_owned(), kind: kind.to_owned() }
            }
        };
        let some = |text: &String| (!text.is_empty()).then(|| text.clone());
        Some(Self {
            consumer,
            path: Path::parse(&data.path),
            rule: data.rule.clone(),
            name: data.name.clone(),
            optional: some(&data.optional),
            optional_reading: if data.if_optional.is_empty() { None } else { reading(&data.if_optional) },
            milestone: Milestone::ALL.into_iter().find(|one| one.word() == data.milestone)?,
            when: when(&data.when)?,
            reading: reading(&data.read)?,
            actor: actor(&data.actor)?,
            message: data.message.clone(),
            does: data.does.clone(),
            answer: data.answer.clone(),
            key_answer: data.key_answer.clone(),
            data: data.clone(),
        })
    }

    /// The row's name.
    pub(crate) fn id(&self) -> &str {
        &self.data.id
    }

    /// The object that the reference names; `None` where the field that names its kind names another.
    pub(crate) fn target(&self, owner: &Object, node: &Node, name: &str) -> Option<ObjectId> {
        let (group, kind) = group_and_kind(&self.data.to);
        if let Some((field, default)) = self.data.to_field.split_once('=') {
            let named = node.text_at(&[field]).unwrap_or(default);
            if named != kind {
                return None;
            }
        }
        let namespace = match self.data.namespace.as_str() {
            "" => None,
            "same" => Some(owner.id.namespace().unwrap_or("default")),
            field => Some(text_at(node, field).or(owner.id.namespace()).unwrap_or("default")),
        };
        Some(ObjectId::new(group, kind, namespace, name))
    }

    /// The keys that the reference asks for.
    pub(crate) fn keys<'a>(&self, node: &'a Node) -> Vec<&'a str> {
        let mut keys = Vec::new();
        if !self.data.keys.is_empty() {
            Path::parse(&self.data.keys).visit(node, &mut |hit| keys.extend(hit.node.text()));
        }
        keys
    }

    /// An init container that seems to wait for what the row's field names, and guards nothing.
    pub(crate) fn guard(&self, view: &View<'_>, owner: &Object, hit: &Hit<'_>) -> Option<String> {
        (self.when == When::Started).then(|| init_guard::that_is_none(view, owner, hit.node))?
    }
}

impl When {
    pub(crate) fn milestone(self) -> Milestone {
        match self {
            Self::Request => Milestone::Stored,
            Self::Created | Self::Observed => Milestone::Observed,
            Self::Bound => Milestone::Bound,
            Self::Started => Milestone::Started,
            Self::Ready => Milestone::Ready,
        }
    }
}

/// `apps/Deployment` or `Secret`.
fn group_and_kind(text: &str) -> (&str, &str) {
    text.split_once('/').unwrap_or(("", text))
}

fn when(word: &str) -> Option<When> {
    Some(match word {
        "request" => When::Request,
        "created" => When::Created,
        "observed" => When::Observed,
        "bound" => When::Bound,
        "started" => When::Started,
        "ready" => When::Ready,
        _ => return None,
    })
}

fn reading(word: &str) -> Option<Reading> {
    Some(match word {
        "once" => Reading::Once,
        "once-silently" => Reading::OnceSilently,
        "once-for-good" => Reading::OnceForGood,
        "volume-mount" => clocks::VOLUME_MOUNT,
        "container-config" => clocks::CONTAINER_CONFIG,
        "image-pull" => clocks::IMAGE_PULL,
        "crash-loop" => clocks::CRASH_LOOP,
        "pod-creation" => clocks::POD_CREATION,
        "autoscaler" => clocks::AUTOSCALER,
        "volume-binder" => clocks::VOLUME_BINDER,
        "watched" => clocks::WATCHED,
        _ => return None,
    })
}

fn actor(word: &str) -> Option<Actor> {
    Some(match word {
        "apiserver" => Actor::ApiServer,
        "controller" => Actor::Controller,
        "scheduler" => Actor::Scheduler,
        "kubelet" => Actor::Kubelet,
        "cert-manager" => Actor::Operator("cert-manager"),
        "ingress-controller" => Actor::Operator("ingress controller"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_data_file_is_understood() {
        let table: Table = toml::from_str(include_str!("../../data/references.toml")).expect("references.toml");
        let mut ids: Vec<_> = table.reference.iter().map(|row| row.id.as_str()).collect();
        for row in &table.reference {
            assert!(Row::new(row).is_some(), "{}: a word of it is not known", row.id);
            assert!(row.source.len() > 10, "{} has no source", row.id);
            assert!(crate::rules::RULES.iter().any(|rule| rule.code.0 == row.rule), "{}: {}", row.id, row.rule);
        }
        ids.sort_unstable();
        let count = ids.len();
        ids.dedup();
        assert_eq!(ids.len(), count, "two rows have the same id");
    }
}
