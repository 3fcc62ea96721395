//! The rows of the reference table, as data and as used.

use super::path::Path;
use super::words;
use crate::read::scope;
use crate::rule::Rule;
use crate::rules;
use crate::view::View;
use plimsoll_model::{Actor, Confidence, Milestone, Node, Object, ObjectId, Reading};
use serde::Deserialize;
use std::iter;
use std::sync::LazyLock;

/// The rows of the data files.
pub(super) static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let tables = FILES.iter().map(|text| toml::from_str::<Table>(text).unwrap_or_default());
    tables.flat_map(|table| table.reference).filter_map(Row::new).collect()
});

/// What Kubernetes and the Gateway API read, and what operators read.
const FILES: [&str; 2] =
    [include_str!("../../data/references.toml"), include_str!("../../data/references-of-operators.toml")];

/// A reference: which field of what names which object, when it is read and how.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) consumer: Consumer,
    pub(super) path: Path,
    pub(super) rule: &'static Rule,
    pub(super) name: String,
    pub(super) given: Vec<String>,
    pub(super) optional_reading: Option<Reading>,
    pub(super) milestone: Milestone,
    pub(super) when: When,
    pub(super) reading: Reading,
    pub(super) actor: Actor,
    pub(super) confidence: Confidence,
    pub(super) message: String,
    pub(super) does: String,
    pub(super) answer: String,
    pub(super) key_answer: String,
    keys: Option<Path>,
    data: Data,
}

/// What a row of the reference table says, for those who list it.
#[derive(Debug, Clone, Copy)]
pub struct Reference<'a> {
    /// The row's name.
    pub id: &'a str,
    /// The code of the rule that tells it.
    pub rule: &'a str,
    /// Whose field it is: `pod`, or a group and kinds.
    pub of: &'a str,
    /// The field.
    pub path: &'a str,
    /// The kind of what it names.
    pub to: &'a str,
    /// Where that was read.
    pub source: &'a str,
}

/// Whose field it is.
#[derive(Debug)]
pub(super) enum Consumer {
    /// Every pod specification.
    Pod,
    /// Objects of some kinds of one group.
    Kinds { group: String, kinds: Vec<String> },
    /// Objects of some kinds, or of all, of every group that is not Kubernetes' own.
    Custom { kinds: Vec<String> },
}

/// At which moment of the consumer the reference is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    Request,
    Created,
    Observed,
    Bound,
    Started,
    Ready,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    reference: Vec<Data>,
}

#[derive(Debug, Default, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Data {
    id: String,
    rule: String,
    of: String,
    path: String,
    name: String,
    given: Vec<String>,
    to: String,
    to_fields: Vec<String>,
    namespace: String,
    keys: String,
    optional: String,
    if_optional: String,
    milestone: String,
    when: String,
    read: String,
    sure: String,
    actor: String,
    message: String,
    does: String,
    answer: String,
    key_answer: String,
    source: String,
}

impl Row {
    fn new(data: Data) -> Option<Self> {
        let (group, kinds) = group_and_kind(&data.of);
        let kinds = kinds.split('|').map(str::to_owned).collect();
        let consumer = match (data.of.as_str(), group) {
            ("pod", _) => Consumer::Pod,
            (_, "*") => Consumer::Custom { kinds },
            (_, group) => Consumer::Kinds { group: group.to_owned(), kinds },
        };
        Some(Self {
            consumer,
            path: Path::parse(&data.path),
            rule: rules::by_code(&data.rule)?,
            name: data.name.clone(),
            given: data.given.clone(),
            optional_reading: if data.if_optional.is_empty() {
                None
            } else {
                words::reading(&data.if_optional)
            },
            milestone: Milestone::ALL.into_iter().find(|one| one.word() == data.milestone)?,
            when: words::when(&data.when)?,
            reading: words::reading(&data.read)?,
            actor: words::actor(&data.actor)?,
            confidence: words::confidence(&data.sure)?,
            message: data.message.clone(),
            does: data.does.clone(),
            answer: data.answer.clone(),
            key_answer: data.key_answer.clone(),
            keys: (!data.keys.is_empty()).then(|| Path::parse(&data.keys)),
            data,
        })
    }

    /// What the row says, for those who list it.
    pub(super) fn reference(&self) -> Reference<'_> {
        let Data { id, rule, of, path, to, source, .. } = &self.data;
        Reference { id, rule, of, path, to, source }
    }

    /// The row's name.
    pub(super) fn id(&self) -> &str {
        &self.data.id
    }

    /// The object that the reference names, if the text is a name. Fields of the reference itself may name another
    /// kind or group; `*` is the owner's group, or the one above it that the input knows the object of.
    pub(super) fn target(
        &self,
        view: &View<'_>,
        owner: &Object,
        node: &Node,
        text: &str,
    ) -> Option<ObjectId> {
        let (mut group, mut kind) = group_and_kind(&self.data.to);
        let (namespace, name) = self.namespace_and_name(owner, node, text)?;
        for field in &self.data.to_fields {
            match (field.as_str(), node.text_at(&[field])) {
                ("kind", Some(said)) => kind = said,
                ("apiVersion", Some(said)) => group = said.split_once('/').map_or("", |(group, _)| group),
                (_, Some(said)) => group = said,
                (_, None) => {}
            }
        }
        if group == "*" {
            let above = iter::successors(Some(owner.id.group()), |group| Some(group.split_once('.')?.1));
            let of = |group: &str, namespace| ObjectId::new(group, kind, namespace, name);
            let mut known = above.flat_map(|group| [of(group, namespace), of(group, None)]);
            return known.find(|id| view.delivers(id));
        }
        let anywhere = ObjectId::new(group, kind, None, name);
        let is_named_kind = !self.data.to_fields.is_empty();
        if is_named_kind && (scope::is_cluster_scoped(view, group, kind) || view.delivers(&anywhere)) {
            return Some(anywhere);
        }
        Some(ObjectId::new(group, kind, namespace, name))
    }

    /// `same|elsewhere`: the owner's namespace, and another for owners that have none.
    fn namespace_and_name<'a>(
        &'a self,
        owner: &'a Object,
        node: &'a Node,
        text: &'a str,
    ) -> Option<(Option<&'a str>, &'a str)> {
        let (rule, elsewhere) =
            self.data.namespace.split_once('|').unwrap_or((&self.data.namespace, "default"));
        let own = owner.id.namespace().unwrap_or(elsewhere);
        Some(match rule {
            "" => (None, text),
            "same" => (Some(own), text),
            "/" => {
                text.split_once('/').map_or((Some(own), text), |(namespace, name)| (Some(namespace), name))
            }
            "host" => host(own, text)?,
            field => (Some(node.text_at(&[field]).unwrap_or(own)), text),
        })
    }

    /// The keys that the reference asks for.
    pub(super) fn keys<'a>(&self, node: &'a Node) -> Vec<&'a Node> {
        let mut keys = Vec::new();
        if let Some(path) = &self.keys {
            path.visit(node, &mut |hit| keys.push(hit.node));
        }
        keys
    }

    /// Whether the reference says of itself that it may be missing.
    pub(super) fn is_optional(&self, node: &Node) -> bool {
        !self.data.optional.is_empty() && node.bool_at(&[&self.data.optional]) == Some(true)
    }

    /// Whether the field belongs to a volume of a pod.
    pub(super) fn is_volume(&self) -> bool {
        matches!(self.consumer, Consumer::Pod) && self.data.path.starts_with("volumes[*]")
    }
}

impl When {
    pub(super) fn milestone(self) -> Milestone {
        match self {
            Self::Request => Milestone::Stored,
            Self::Created | Self::Observed => Milestone::Observed,
            Self::Bound => Milestone::Bound,
            Self::Started => Milestone::Started,
            Self::Ready => Milestone::Ready,
        }
    }
}

/// The Service of a host: `NAME`, or `NAME.NAMESPACE.svc` with or without the domain of the cluster behind it.
fn host<'a>(own: &'a str, text: &'a str) -> Option<(Option<&'a str>, &'a str)> {
    let Some((name, rest)) = text.split_once('.') else { return Some((Some(own), text)) };
    let (namespace, domain) = rest.split_once('.')?;
    (domain == "svc" || domain.starts_with("svc.")).then_some((Some(namespace), name))
}

/// `apps/Deployment` or `Secret`.
fn group_and_kind(text: &str) -> (&str, &str) {
    text.split_once('/').unwrap_or(("", text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn table() -> Vec<Data> {
        let table = |text| toml::from_str::<Table>(text).expect("a data file of references");
        FILES.iter().flat_map(|text| table(text).reference).collect()
    }

    #[test]
    fn every_row_of_the_data_file_is_understood() {
        let mut ids: Vec<_> = table().into_iter().map(|row| row.id).collect();
        for row in table() {
            let id = row.id.clone();
            assert!(row.source.len() > 10, "{id} has no source");
            assert!(row.message.contains("{owner}") && row.message.contains("{target}"), "{id}: message");
            assert!(!row.does.is_empty(), "{id} does nothing");
            assert!(row.keys.is_empty() || !row.key_answer.is_empty(), "{id}: no answer for a missing key");
            assert!(Row::new(row).is_some(), "{id}: a word of it is not known");
        }
        ids.sort_unstable();
        let count = ids.len();
        ids.dedup();
        assert_eq!(ids.len(), count, "two rows have the same id");
    }

    #[test]
    fn a_host_is_a_service_where_it_ends_as_one() {
        assert_eq!(host("shop", "reviews"), Some((Some("shop"), "reviews")));
        assert_eq!(host("shop", "reviews.prod.svc.cluster.local"), Some((Some("prod"), "reviews")));
        assert_eq!(host("shop", "reviews.prod"), None);
        assert_eq!(host("shop", "api.example.com"), None);
    }

    #[test]
    fn every_row_has_an_example_and_every_example_a_row() {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/references/examples");
        let mut examples: Vec<String> = std::fs::read_dir(&folder)
            .expect("examples")
            .filter_map(|entry| Some(entry.ok()?.path().file_stem()?.to_str()?.to_owned()))
            .collect();
        let mut ids = Vec::new();
        for row in table() {
            let text = std::fs::read_to_string(folder.join(format!("{}.yaml", row.id))).unwrap_or_default();
            assert!(text.contains(&format!("# race: {}", row.rule)), "{} has no example of its race", row.id);
            ids.push(row.id);
        }
        examples.sort();
        ids.sort();
        assert_eq!(examples, ids);
    }
}
