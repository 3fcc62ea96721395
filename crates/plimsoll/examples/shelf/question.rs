//! What charts are asked with: values that are set, APIs that are offered, a release; and what they answer.

use plimsoll_chart::{Capabilities, Chart, Release, Request, ValueSource, render};
use plimsoll_model::{FileIndex, Node};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::rc::Rc;

/// The namespace of every release.
pub(crate) const NAMESPACE: &str = "zqn";

/// A release with some changes to what is usual.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Question {
    /// The name of the release.
    pub(crate) release: String,
    /// What is set and offered.
    pub(crate) changes: BTreeSet<Change>,
}

/// One change to what is usual.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Change {
    /// The value at a dotted path.
    Set(String, Setting),
    /// An API that the cluster offers besides its own.
    Offer(String),
}

/// A value that can be set.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Setting {
    /// A truth value.
    Bool(bool),
    /// A text.
    Text(String),
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(on) => on.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}

/// A value without which a chart refuses everything: its path and a text for it.
pub(crate) type Need = (String, String);

/// What a chart brings.
pub(crate) struct Answer {
    /// The objects, each with whether it stands in `crds/`.
    pub(crate) objects: Vec<(bool, Rc<Node>)>,
    /// APIs that it asked for and that are not offered.
    pub(crate) unanswered: Vec<String>,
}

impl Question {
    /// A release with nothing changed.
    pub(crate) fn plain(release: &str) -> Self {
        Self { release: release.to_owned(), changes: BTreeSet::new() }
    }

    /// The same with one more change, which takes the place of another one of the same value.
    pub(crate) fn with(&self, change: &Change) -> Self {
        let mut question = self.clone();
        if let Change::Set(path, _) = change {
            question.changes.retain(|known| !matches!(known, Change::Set(other, _) if other == path));
        }
        question.changes.insert(change.clone());
        question
    }

    /// The same without a change.
    pub(crate) fn without(&self, change: &Change) -> Self {
        let mut question = self.clone();
        question.changes.remove(change);
        question
    }

    /// What is set at a path.
    pub(crate) fn set(&self, path: &str) -> Option<&Setting> {
        self.changes.iter().find_map(|change| match change {
            Change::Set(known, setting) if known == path => Some(setting),
            _ => None,
        })
    }

    /// Whether an API is offered.
    pub(crate) fn offers(&self, api: &str) -> bool {
        self.changes.iter().any(|change| matches!(change, Change::Offer(offered) if offered == api))
    }

    /// What a chart brings.
    pub(crate) fn ask(&self, chart: &Chart, needs: &[Need]) -> Result<Answer, String> {
        let needed = needs.iter().map(|(path, text)| ValueSource::SetString(format!("{path}={text}")));
        let (mut values, mut offered) = (needed.collect::<Vec<_>>(), Vec::new());
        for change in &self.changes {
            match change {
                Change::Set(path, Setting::Bool(on)) => values.push(ValueSource::Set(format!("{path}={on}"))),
                Change::Set(path, Setting::Text(text)) => {
                    values.push(ValueSource::SetString(format!("{path}={text}")));
                }
                Change::Offer(api) => offered.push(api.clone()),
            }
        }
        ask(chart, &self.release, values, offered)
    }
}

/// What a chart brings for some values, if the cluster offers what the newest Kubernetes does and a little more.
pub(crate) fn ask(
    chart: &Chart,
    release: &str,
    values: Vec<ValueSource>,
    offered: Vec<String>,
) -> Result<Answer, String> {
    let mut api_versions = plimsoll_schema::api_versions(plimsoll_schema::newest());
    api_versions.extend(offered);
    let request = Request {
        release: Release { name: release.to_owned(), namespace: NAMESPACE.to_owned(), ..Release::default() },
        values,
        capabilities: Capabilities {
            kube_version: format!("v{}.0", plimsoll_schema::newest()),
            api_versions,
        },
        ..Request::default()
    };
    let rendering = match render(chart, &request) {
        // Some schemas are made of others that lie elsewhere.
        Err(failure) if failure.to_string().contains("the schema cannot be used") => {
            render(chart, &Request { skips_schema: true, ..request })
        }
        rendering => rendering,
    };
    let rendering = rendering.map_err(|failure| failure.to_string())?;
    let manifests =
        rendering.manifests().flat_map(|manifest| read(manifest.text)).map(|object| (false, object));
    let definitions = rendering.definitions.iter().flat_map(|(_, file)| read(&file.text()));
    let objects = manifests.chain(definitions.map(|object| (true, object))).collect();
    Ok(Answer { objects, unanswered: rendering.unanswered })
}

thread_local! {
    /// Texts that were read before: most of what a chart brings is the same for most questions.
    static READ: RefCell<HashMap<String, Vec<Rc<Node>>>> = RefCell::default();
}

/// The objects of a text that are no tests.
fn read(text: &str) -> Vec<Rc<Node>> {
    if let Some(known) = READ.with_borrow(|read| read.get(text).cloned()) {
        return known;
    }
    let is_test = |object: &Node| {
        let hook = object.text_at(&["metadata", "annotations", "helm.sh/hook"]);
        hook.is_some_and(|hook| hook.starts_with("test"))
    };
    let documents = plimsoll_yaml::parse(text, FileIndex(0)).documents.into_iter();
    let objects = documents.map(|document| document.root).filter(|object| object.get("kind").is_some());
    let objects: Vec<Rc<Node>> = objects.filter(|object| !is_test(object)).map(Rc::new).collect();
    READ.with_borrow_mut(|read| read.insert(text.to_owned(), objects.clone()));
    objects
}
