//! From documents to objects that still lack the namespace they will have.

use crate::definition;
use plimsoll_model::{Key, Node, Place, Problem, Value};
use plimsoll_yaml::{Document, Parsed, problem_of};
use std::ops::RangeInclusive;

/// An object as declared, before its scope is known.
#[derive(Debug)]
pub(crate) struct Draft {
    pub(crate) group: Box<str>,
    pub(crate) version: Box<str>,
    pub(crate) kind: Box<str>,
    pub(crate) name: Box<str>,
    pub(crate) root: Node,
}

/// What the documents of a text hold.
#[derive(Debug, Default)]
pub(crate) struct Drafts {
    pub(crate) objects: Vec<Draft>,
    pub(crate) problems: Vec<Problem>,
    pub(crate) hidden: Vec<RangeInclusive<u32>>,
    pub(crate) foreign: usize,
}

/// What a document says it is.
enum Claim {
    /// An object of this API version and kind.
    Object(Box<str>, Box<str>),
    /// No Kubernetes object.
    Foreign,
    /// A Kubernetes object that nobody can read, and why.
    Broken(Place, &'static str),
}

impl Drafts {
    pub(crate) fn of(parsed: Parsed) -> Self {
        let problems = parsed.faults.into_iter().map(problem_of).collect();
        let mut drafts = Self { problems, hidden: parsed.hidden, ..Self::default() };
        for Document { root } in parsed.documents {
            drafts.add(root);
        }
        drafts.problems.extend(drafts.objects.iter().flat_map(definition::problems));
        drafts
    }

    /// Adds a document. A List is opened, one inside it is not: kubectl refuses the outer one as a whole then, with
    /// `*unstructured.Unstructured is not a list: no Items field in this object` (seen with v1.36.4).
    fn add(&mut self, mut root: Node) {
        let (api_version, kind) = match claim(&root) {
            Claim::Object(api_version, kind) => (api_version, kind),
            Claim::Foreign => {
                self.foreign += 1;
                return;
            }
            Claim::Broken(place, cause) => return self.refuse(place, cause),
        };
        let Some(items) = take_items(&mut root, &kind) else {
            return self.add_object(root, &api_version, kind);
        };
        if let Some(inner) = items.iter().find(|item| is_list(item)) {
            let cause =
                "kubectl refuses a List inside a List, and sends nothing of the outer one; take it out";
            return self.refuse(inner.place, cause);
        }
        for item in items {
            self.add_item(inherit(item, &api_version, &kind));
        }
    }

    fn add_item(&mut self, item: Node) {
        match claim(&item) {
            Claim::Object(api_version, kind) => self.add_object(item, &api_version, kind),
            Claim::Foreign => {
                self.refuse(item.place, "this item of a List has no apiVersion and kind; add them");
            }
            Claim::Broken(place, cause) => self.refuse(place, cause),
        }
    }

    fn add_object(&mut self, root: Node, api_version: &str, kind: Box<str>) {
        let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
        if version.is_empty() || version.contains('/') || kind.is_empty() {
            let place = root.get("apiVersion").unwrap_or(&root).place;
            return self
                .refuse(place, "this is not an API version and kind; write `group/version` and a kind");
        }
        match name(&root) {
            Ok(name) => {
                let (group, version) = (group.into(), version.into());
                self.objects.push(Draft { group, version, kind, name, root });
            }
            Err((place, cause)) => self.refuse(place, cause),
        }
    }

    fn refuse(&mut self, place: Place, cause: &str) {
        self.problems.push(Problem { place, cause: cause.to_owned(), is_fatal: true });
    }
}

fn claim(root: &Node) -> Claim {
    let (api_version, kind) = (root.get("apiVersion"), root.get("kind"));
    let has_metadata = matches!(root.get("metadata"), Some(Node { value: Value::Map(_), .. }));
    match (api_version, kind) {
        (Some(api_version), Some(kind)) => match (api_version.text(), kind.text()) {
            (Some(version), Some(name)) if is_for_a_program(root, version, name) => Claim::Foreign,
            (Some(version), Some(name)) => Claim::Object(version.into(), name.into()),
            (None, _) => Claim::Broken(api_version.place, "apiVersion must be text; quote it"),
            (_, None) => Claim::Broken(kind.place, "kind must be text; quote it"),
        },
        (Some(_), None) if has_metadata => Claim::Broken(root.place, "this object has no kind; add it"),
        (None, Some(_)) if has_metadata => Claim::Broken(root.place, "this object has no apiVersion; add it"),
        _ => Claim::Foreign,
    }
}

/// Groups of documents that programs read from files. No API server serves them, though they look like objects.
const OF_PROGRAMS: [&str; 9] = [
    "backstage.io",
    "chainsaw.kyverno.io",
    "cli.kyverno.io",
    "eksctl.io",
    "k3d.io",
    "kind.x-k8s.io",
    "kuttl.dev",
    "scorecard.operatorframework.io",
    "skaffold",
];

/// Whether a document with an API version and a kind is the configuration of a program: a kubeconfig, a cluster of kind.
/// Unlike objects, most have no metadata.
fn is_for_a_program(root: &Node, api_version: &str, kind: &str) -> bool {
    let group = api_version.split_once('/').map_or("", |(group, _)| group);
    let has_what_objects_have = ["metadata", "items"].iter().any(|key| root.get(key).is_some());
    let is_known = || kind == "List" || plimsoll_schema::resource(group, kind).is_some();
    OF_PROGRAMS.contains(&group) || !(has_what_objects_have || is_known())
}

fn name(root: &Node) -> Result<Box<str>, (Place, &'static str)> {
    let metadata = root.get("metadata");
    let place = metadata.unwrap_or(root).place;
    if let Some(name) = metadata.and_then(|metadata| metadata.get("name")) {
        return match name.text() {
            Some("") => Err((name.place, "metadata.name is empty; give the object a name")),
            Some(text) => Ok(text.into()),
            None => Err((name.place, "metadata.name must be text; quote it")),
        };
    }
    match root.text_at(&["metadata", "generateName"]) {
        // The server adds characters of its own, so no reference can name such an object.
        Some(prefix) if !prefix.is_empty() => Ok(format!("{prefix}*").into()),
        _ => Err((place, "this object has no metadata.name; add it")),
    }
}

/// Whether an item of a list is a list itself.
fn is_list(item: &Node) -> bool {
    let is_named = item.text_at(&["kind"]).is_some_and(|kind| kind.ends_with("List"));
    is_named && matches!(item.get("items"), Some(Node { value: Value::List(_), .. }))
}

/// The items of a list object.
fn take_items(node: &mut Node, kind: &str) -> Option<Vec<Node>> {
    if !kind.ends_with("List") {
        return None;
    }
    let Value::Map(entries) = &mut node.value else {
        return None;
    };
    let (_, items) = entries.iter_mut().find(|(key, _)| &*key.text == "items")?;
    match &mut items.value {
        Value::List(items) => Some(std::mem::take(items)),
        Value::Null => Some(Vec::new()),
        _ => None,
    }
}

/// An item of a typed list takes kind and API version from the list if it has neither (`k8s.io/apimachinery` v0.36.4
/// `pkg/apis/meta/v1/unstructured/helpers.go`, `decodeToList`).
fn inherit(mut item: Node, api_version: &str, list_kind: &str) -> Node {
    let place = item.place;
    let kind = list_kind.strip_suffix("List").unwrap_or_default();
    let is_bare = item.get("kind").is_none() && item.get("apiVersion").is_none();
    if let (Value::Map(entries), true) = (&mut item.value, is_bare && !kind.is_empty()) {
        let texts = [("apiVersion", api_version), ("kind", kind)];
        let entry = |(key, text): (&str, &str)| {
            (Key { text: key.into(), place }, Node { value: Value::Text(text.into()), place })
        };
        entries.retain(|(key, _)| !matches!(&*key.text, "apiVersion" | "kind"));
        entries.splice(..0, texts.map(entry));
    }
    item
}

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_model::FileIndex;
    use plimsoll_yaml::parse;

    fn check(text: &str, names: &[&str], foreign: usize, causes: &[&str]) {
        let found = Drafts::of(parse(text, FileIndex(0)));
        let found_names: Vec<String> =
            found.objects.iter().map(|draft| format!("{}/{}", draft.kind, draft.name)).collect();
        assert_eq!(found_names, names, "{text}");
        assert_eq!(found.foreign, foreign, "{text}");
        let found_causes: Vec<_> = found.problems.iter().map(|problem| problem.cause.as_str()).collect();
        assert_eq!(found_causes.len(), causes.len(), "{found_causes:?}");
        for (cause, expect) in found_causes.iter().zip(causes) {
            assert!(cause.contains(expect), "{cause}");
        }
    }

    #[test]
    fn objects_are_told_from_other_documents() {
        check("apiVersion: v1\nkind: Service\nmetadata: {name: a}\n", &["Service/a"], 0, &[]);
        check("version: '3'\nservices: {}\n---\n# nothing\n---\n- 1\n", &[], 2, &[]);
        check("apiVersion: v2\nname: chart\n", &[], 1, &[]);
        check("apiVersion: kind.x-k8s.io/v1alpha4\nkind: Cluster\nname: a\n", &[], 1, &[]);
        check("apiVersion: v1\nkind: Config\nclusters: []\n", &[], 1, &[]);
        check("apiVersion: skaffold/v4beta1\nkind: Config\nmetadata: {name: a}\n", &[], 1, &[]);
        check("apiVersion: v1\nkind: Service\nspec: {}\n", &[], 0, &["metadata.name"]);
    }

    #[test]
    fn a_list_is_opened_and_one_inside_it_is_refused() {
        let text = "apiVersion: v1\nkind: List\nitems:\n\
                    - {apiVersion: v1, kind: Pod, metadata: {name: outer}}\n\
                    - {apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Pod, metadata: {name: inner}}]}\n";
        check(text, &[], 0, &["List inside a List"]);
        check("apiVersion: v1\nkind: PodList\nitems: [{metadata: {name: a}}]\n", &["Pod/a"], 0, &[]);
        check("apiVersion: v1\nkind: List\nitems: [{metadata: {name: a}}, 3]\n", &[], 0, &["item", "item"]);
    }

    #[test]
    fn an_object_without_what_it_needs_is_a_problem() {
        check("apiVersion: v1\nkind: Pod\nmetadata: {}\n", &[], 0, &["metadata.name"]);
        check("apiVersion: v1\nkind: Pod\nmetadata: {name: 12}\n", &[], 0, &["quote"]);
        check("apiVersion: v1\nmetadata: {name: a}\n", &[], 0, &["no kind"]);
        check("kind: Pod\nmetadata: {name: a}\n", &[], 0, &["no apiVersion"]);
        check("apiVersion: 1\nkind: Pod\n", &[], 0, &["apiVersion must be text"]);
        check("apiVersion: a/b/c\nkind: Pod\nmetadata: {name: a}\n", &[], 0, &["API version"]);
        check("apiVersion: batch/v1\nkind: Job\nmetadata: {generateName: run-}\n", &["Job/run-*"], 0, &[]);
    }
}
