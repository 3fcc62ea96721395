//! One object while it is built, and what kustomize remembers of it on the way
//! (`sigs.k8s.io/kustomize/api` v0.21.1, `resource/resource.go`).

use crate::identity::{Gvk, Id, name, namespace};
use crate::refusal::Refusal;
use crate::tree::{Form, Node, Tag};
use plimsoll_model::Place;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// An object while it is built.
#[derive(Debug, Clone)]
pub(crate) struct Resource {
    pub(crate) root: Node,
    /// Who it was, the oldest first.
    pub(crate) previous: Vec<Previous>,
    pub(crate) prefixes: Vec<Box<str>>,
    pub(crate) suffixes: Vec<Box<str>>,
    pub(crate) behavior: Behavior,
    pub(crate) maker: Maker,
    /// Whether its name gets a hash of its content.
    pub(crate) needs_hash: bool,
    /// The variables that read a field of it.
    pub(crate) variables: Vec<Box<str>>,
    /// The nodes that are one for kustomize, by number.
    twins: FxHashMap<u32, Form>,
}

/// Who made an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Maker {
    /// It was written.
    Nobody,
    /// A generator.
    Generator,
    /// A chart.
    Chart,
    /// Somebody on the network; it is not fetched, and only an outline of it is known.
    Stranger,
}

/// What an object was called before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Previous {
    pub(crate) namespace: Box<str>,
    pub(crate) name: Box<str>,
    pub(crate) kind: Box<str>,
}

/// What a generator does with an object that is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Behavior {
    #[default]
    Create,
    Replace,
    Merge,
}

impl Resource {
    pub(crate) fn new(root: Node) -> Self {
        Self {
            root,
            previous: Vec::new(),
            prefixes: Vec::new(),
            suffixes: Vec::new(),
            behavior: Behavior::Create,
            maker: Maker::Nobody,
            needs_hash: false,
            variables: Vec::new(),
            twins: FxHashMap::default(),
        }
    }

    pub(crate) fn gvk(&self) -> Gvk {
        Gvk::of(&self.root)
    }

    /// Who it is now.
    pub(crate) fn id(&self) -> Id {
        Id::of(&self.root)
    }

    /// Who it was, the oldest first.
    pub(crate) fn previous_ids(&self) -> Vec<Id> {
        let Gvk { group, version, .. } = self.gvk();
        let id = |previous: &Previous| Id {
            gvk: Gvk { group: group.clone(), version: version.clone(), kind: previous.kind.clone() },
            name: previous.name.clone(),
            namespace: previous.namespace.clone(),
            is_cluster_scoped: false,
        };
        self.previous.iter().map(id).collect()
    }

    /// Who it was first.
    pub(crate) fn original_id(&self) -> Id {
        self.previous_ids().into_iter().next().unwrap_or_else(|| self.id())
    }

    /// Remembers who it is now, before that changes.
    pub(crate) fn remember(&mut self) {
        let id = self.id();
        self.previous.push(Previous {
            namespace: id.effective_namespace().into(),
            name: id.name,
            kind: id.gvk.kind,
        });
    }

    /// Whether kustomize has noted something in annotations of its own, so that there are annotations.
    pub(crate) fn has_notes(&self) -> bool {
        matches!(self.maker, Maker::Generator | Maker::Chart)
            || !(self.previous.is_empty() && self.prefixes.is_empty() && self.suffixes.is_empty())
    }

    /// Loses what was noted, as kustomize does when all annotations are taken away.
    pub(crate) fn forget(&mut self) {
        self.previous.clear();
        self.prefixes.clear();
        self.suffixes.clear();
        if self.maker != Maker::Stranger {
            self.maker = Maker::Nobody;
        }
        self.needs_hash = false;
        self.behavior = Behavior::Create;
    }

    pub(crate) fn name(&self) -> &str {
        name(&self.root)
    }

    pub(crate) fn namespace(&self) -> &str {
        namespace(&self.root)
    }

    pub(crate) fn is_gone(&self) -> bool {
        self.root.is_nothing()
    }

    pub(crate) fn set_name(&mut self, name: &str) {
        let place = self.place_of("name");
        self.set_in_metadata("name", Node::scalar(name, Tag::None, place));
    }

    /// Sets the namespace; an empty one takes it away.
    pub(crate) fn set_namespace(&mut self, namespace: &str) {
        if namespace.is_empty() {
            if let Some(metadata) = self.root.get_mut("metadata") {
                metadata.clear("namespace");
            }
            return;
        }
        let place = self.place_of("namespace");
        self.set_in_metadata("namespace", Node::scalar(namespace, Tag::None, place));
    }

    fn set_in_metadata(&mut self, field: &str, value: Node) {
        let place = self.root.place;
        if let Some(metadata) = self.root.map_at("metadata", place) {
            metadata.set(field, value);
        }
    }

    /// The place of a field of the metadata, or of the object.
    fn place_of(&self, field: &str) -> Place {
        let metadata = self.root.get("metadata");
        let found = metadata.and_then(|metadata| metadata.get(field)).or(metadata);
        found.map_or(self.root.place, |node| node.place)
    }

    /// Labels or annotations, each with its place.
    pub(crate) fn texts(&self, field: &str) -> Texts {
        let map = self.root.filled("metadata").and_then(|metadata| metadata.get(field));
        let entries = map.map_or(&[][..], Node::entries).iter();
        entries.map(|(key, node)| (key.text.clone(), (node.written().into(), node.place))).collect()
    }

    /// Writes labels or annotations anew: every value becomes text, and an empty map goes.
    pub(crate) fn set_texts(&mut self, field: &str, texts: &Texts) {
        let place = self.root.place;
        let Some(metadata) = self.root.map_at("metadata", place) else { return };
        let place = metadata.get(field).map_or(metadata.place, |node| node.place);
        metadata.clear(field);
        if texts.is_empty() {
            return;
        }
        let mut map = Node::map(place);
        for (key, (text, place)) in texts {
            map.append(key, Node::text(text.clone(), *place));
        }
        metadata.append(field, map);
    }

    /// Notes where it came from, in an annotation that is taken away at the end unless somebody asked for it.
    pub(crate) fn set_origin(&mut self, origin: &str) {
        let mut annotations = self.texts("annotations");
        annotations.insert(ORIGIN.into(), (origin.into(), self.root.place));
        self.set_texts("annotations", &annotations);
    }

    /// The same for what was just read; its other annotations stay as they are.
    pub(crate) fn add_origin(&mut self, origin: &str) {
        let place = self.root.place;
        let metadata = self.root.map_at("metadata", place);
        if let Some(annotations) = metadata.and_then(|metadata| metadata.map_at("annotations", place)) {
            annotations.set(ORIGIN, Node::text(origin, place));
        }
    }

    /// Where it came from.
    pub(crate) fn origin(&self) -> Option<Box<str>> {
        self.texts("annotations").get(ORIGIN).map(|(text, _)| text.clone())
    }

    /// Gives nodes that were added together a number, so that they stay one.
    pub(crate) fn add_twin(&mut self, number: u32, form: Form) {
        self.twins.insert(number, form);
    }

    /// Lets what changed one node change those that are one with it.
    pub(crate) fn settle_twins(&mut self) {
        if self.twins.is_empty() {
            return;
        }
        let mut changed = FxHashMap::default();
        find_changed(&self.root, &self.twins, &mut changed);
        if !changed.is_empty() {
            change(&mut self.root, &changed);
            self.twins.extend(changed.into_iter().map(|(number, node)| (number, node.form)));
        }
    }

    /// Forgets which nodes are one.
    pub(crate) fn part_twins(&mut self) {
        self.twins.clear();
    }

    /// Why kustomize cannot do something with this object.
    pub(crate) fn refusal(&self, cause: impl Into<String>) -> Refusal {
        Refusal::new(self.root.place, cause)
    }
}

/// The annotation that says where an object came from.
pub(crate) const ORIGIN: &str = "config.kubernetes.io/origin";

/// Labels or annotations by key, each with its place.
pub(crate) type Texts = BTreeMap<Box<str>, (Box<str>, Place)>;

fn find_changed(node: &Node, known: &FxHashMap<u32, Form>, changed: &mut FxHashMap<u32, Node>) {
    if node.twin != 0 && known.get(&node.twin).is_some_and(|form| *form != node.form) {
        changed.insert(node.twin, node.clone());
    }
    match &node.form {
        Form::Scalar(_) => {}
        Form::List(items) => items.iter().for_each(|item| find_changed(item, known, changed)),
        Form::Map(entries) => entries.iter().for_each(|(_, node)| find_changed(node, known, changed)),
    }
}

fn change(node: &mut Node, changed: &FxHashMap<u32, Node>) {
    if let Some(new) = changed.get(&node.twin) {
        node.form = new.form.clone();
        node.place = new.place;
    }
    match &mut node.form {
        Form::Scalar(_) => {}
        Form::List(items) => items.iter_mut().for_each(|item| change(item, changed)),
        Form::Map(entries) => entries.iter_mut().for_each(|(_, node)| change(node, changed)),
    }
}
