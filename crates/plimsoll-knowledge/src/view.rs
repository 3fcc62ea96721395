//! A bundle seen by kind, by name and by label, so that every rule asks in the same few words.

use crate::definers;
use crate::read::pods::Pods;
use crate::read::selector::Labels;
use crate::tools;
use plimsoll_model::{
    Action, Bundle, Delivery, Mark, Milestone, Moment, Object, ObjectId, Operation, Outside, StepIndex,
};
use plimsoll_schema::Version;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// What a question is asked about, besides the bundle.
#[derive(Debug, Clone, Copy)]
pub struct Scene {
    /// The Kubernetes version of the cluster.
    pub kube_version: Version,
    /// What is being done to it.
    pub operation: Operation,
}

/// A bundle and the indexes over it. Rules read it; nothing changes it.
#[derive(Debug)]
pub struct View<'a> {
    /// What was read.
    pub(crate) bundle: &'a Bundle,
    /// What it is asked about.
    pub(crate) scene: Scene,
    deliveries: Vec<Delivered<'a>>,
    marks: Vec<(StepIndex, &'a Mark)>,
    by_id: FxHashMap<ObjectId, Vec<usize>>,
    by_kind: FxHashMap<(&'a str, &'a str), Vec<usize>>,
    by_namespace: FxHashMap<&'a str, Vec<usize>>,
    crds: FxHashMap<(&'a str, &'a str), usize>,
    /// The definitions of the deployment before.
    standing: FxHashMap<(&'a str, &'a str), &'a Object>,
    /// The definitions that operators make for objects of the bundle.
    made: FxHashMap<(&'a str, &'a str), ObjectId>,
    pods: Vec<Pods<'a>>,
    pods_by_owner: FxHashMap<ObjectId, usize>,
    pods_by_namespace: FxHashMap<&'a str, Vec<usize>>,
    pods_by_claim: FxHashMap<(&'a str, &'a str), Vec<usize>>,
    pods_by_label: FxHashMap<(&'a str, &'a str, &'a str), Vec<usize>>,
}

/// One delivery of an object by one step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Delivered<'a> {
    pub(crate) step: StepIndex,
    pub(crate) object: &'a Object,
}

/// Group and kind that a definition defines.
fn defines(object: &Object) -> Option<(&str, &str)> {
    let is_definition = object.id.is("apiextensions.k8s.io", "CustomResourceDefinition");
    let text = |path: &[&str]| object.root.text_at(path).filter(|_| is_definition);
    Some((text(&["spec", "group"])?, text(&["spec", "names", "kind"])?))
}

/// What each step sends, in the order in which its tool does.
fn deliveries(bundle: &Bundle, operation: Operation) -> impl Iterator<Item = (StepIndex, &Object)> {
    bundle.numbered_steps().flat_map(move |(index, step)| {
        let objects = match &step.action {
            Action::Deliver(unit) => tools::sent(unit, operation),
            _ => Vec::new(),
        };
        objects.into_iter().map(move |object| (index, object))
    })
}

/// What each step writes on objects that are there.
fn marks(bundle: &Bundle) -> Vec<(StepIndex, &Mark)> {
    bundle
        .numbered_steps()
        .flat_map(|(index, step)| step.marks.iter().map(move |mark| (index, mark)))
        .collect()
}

impl<'a> View<'a> {
    /// Indexes a bundle.
    #[must_use]
    pub fn new(bundle: &'a Bundle, scene: Scene) -> Self {
        let mut view = Self {
            bundle,
            scene,
            deliveries: Vec::new(),
            marks: marks(bundle),
            by_id: FxHashMap::default(),
            by_kind: FxHashMap::default(),
            by_namespace: FxHashMap::default(),
            crds: FxHashMap::default(),
            standing: FxHashMap::default(),
            made: FxHashMap::default(),
            pods: Vec::new(),
            pods_by_owner: FxHashMap::default(),
            pods_by_namespace: FxHashMap::default(),
            pods_by_claim: FxHashMap::default(),
            pods_by_label: FxHashMap::default(),
        };
        for (step, object) in deliveries(bundle, scene.operation) {
            let index = view.deliveries.len();
            view.deliveries.push(Delivered { step, object });
            let same = view.by_id.entry(object.id.clone()).or_default();
            same.push(index);
            if same.len() == 1 {
                view.by_kind.entry((object.id.group(), object.id.kind())).or_default().push(index);
                view.by_namespace.entry(object.id.namespace().unwrap_or_default()).or_default().push(index);
                view.pods.extend(Pods::of(object));
                view.index_crd(index, object);
                view.made.extend(definers::defined(object).map(|made| ((made.group, made.kind), made.crd)));
            }
        }
        view.index_pods();
        if let Some(before) = bundle.before.as_deref().filter(|_| scene.operation.is_change()) {
            let defined = before.deliveries().filter_map(|(_, object)| Some((defines(object)?, object)));
            view.standing.extend(defined);
        }
        view
    }

    /// How a step delivers, if it does.
    pub(crate) fn delivery(&self, step: StepIndex) -> Option<&'a Delivery> {
        match &self.bundle.step(step)?.action {
            Action::Deliver(unit) => Some(&unit.delivery),
            _ => None,
        }
    }

    /// The first step that delivers an object.
    pub(crate) fn step_of(&self, id: &ObjectId) -> Option<StepIndex> {
        let index = self.by_id.get(id)?.first()?;
        self.deliveries.get(*index).map(|delivered| delivered.step)
    }

    /// Every delivery, in the order of the steps; an object that two steps deliver comes twice.
    pub(crate) fn deliveries(&self) -> &[Delivered<'a>] {
        &self.deliveries
    }

    /// Every object of a kind, once.
    pub(crate) fn of_kind(&self, group: &str, kind: &str) -> Vec<&'a Object> {
        let found = self.by_kind.get(&(group, kind)).map_or(&[][..], Vec::as_slice);
        found
            .iter()
            .filter_map(|index| self.deliveries.get(*index))
            .map(|delivered| delivered.object)
            .collect()
    }

    /// Every object of a namespace, once.
    pub(crate) fn in_namespace(&self, namespace: &str) -> Vec<&'a Object> {
        let found = self.by_namespace.get(namespace).map_or(&[][..], Vec::as_slice);
        found
            .iter()
            .filter_map(|index| self.deliveries.get(*index))
            .map(|delivered| delivered.object)
            .collect()
    }

    /// Every namespace that holds an object or is delivered.
    pub(crate) fn namespaces(&self) -> BTreeSet<&'a str> {
        let held = self.by_namespace.keys().copied().filter(|namespace| !namespace.is_empty());
        held.chain(self.of_kind("", "Namespace").into_iter().map(|object| object.id.name())).collect()
    }

    /// Every object of a kind in a namespace, once.
    pub(crate) fn of_kind_in(&self, namespace: &str, group: &str, kind: &str) -> Vec<&'a Object> {
        let mut objects = self.in_namespace(namespace);
        objects.retain(|object| object.id.is(group, kind));
        objects
    }

    /// Every object, once.
    pub(crate) fn objects(&self) -> impl Iterator<Item = &'a Object> {
        self.deliveries.iter().enumerate().filter_map(|(index, delivered)| {
            let first = self.by_id.get(&delivered.object.id)?.first()?;
            (*first == index).then_some(delivered.object)
        })
    }

    /// The object as the bundle declares it, if it does.
    pub(crate) fn object(&self, id: &ObjectId) -> Option<&'a Object> {
        let index = self.by_id.get(id)?.first()?;
        self.deliveries.get(*index).map(|delivered| delivered.object)
    }

    /// Every declaration of an object: two steps may deliver it differently.
    pub(crate) fn declarations(&self, id: &ObjectId) -> impl Iterator<Item = &'a Object> {
        self.deliveries_of(id).map(|delivered| delivered.object)
    }

    /// Every delivery of an object.
    pub(crate) fn deliveries_of(&self, id: &ObjectId) -> impl Iterator<Item = Delivered<'a>> {
        let found = self.by_id.get(id).map_or(&[][..], Vec::as_slice);
        found.iter().filter_map(|index| self.deliveries.get(*index)).copied()
    }

    /// What steps write on objects that are there, in their order.
    pub(crate) fn marks(&self) -> &[(StepIndex, &'a Mark)] {
        &self.marks
    }

    /// Whether a step of the bundle delivers the object.
    pub(crate) fn delivers(&self, id: &ObjectId) -> bool {
        self.by_id.contains_key(id)
    }

    /// Whether an object is first delivered before another, in the order of the steps; no if either is not at all.
    pub(crate) fn is_sent_before(&self, first: &ObjectId, then: &ObjectId) -> bool {
        let position = |id: &ObjectId| self.by_id.get(id)?.first().copied();
        position(first).zip(position(then)).is_some_and(|(first, then)| first < then)
    }

    /// Everything that a step removes; when all of it is taken away, what the steps deliver.
    pub(crate) fn removed(&self) -> Vec<&'a ObjectId> {
        let mut removed = Vec::new();
        for step in &self.bundle.steps {
            match &step.action {
                Action::Remove(removal) => removed.extend(&removal.objects),
                Action::Deliver(unit) if self.scene.operation == Operation::Uninstall => {
                    removed.extend(tools::removed(unit));
                }
                _ => {}
            }
        }
        removed
    }

    /// The requests by which an object is delivered, at a milestone.
    pub(crate) fn requests(&self, id: &ObjectId, milestone: Milestone) -> impl Iterator<Item = Moment> {
        let steps: Vec<StepIndex> = self.deliveries_of(id).map(|delivered| delivered.step).collect();
        steps.into_iter().map(move |step| Moment::request(step, id, milestone))
    }

    /// Everything that makes pods: workloads and bare pods, once each.
    pub(crate) fn pods(&self) -> &[Pods<'a>] {
        &self.pods
    }

    /// The pods of a namespace.
    pub(crate) fn pods_in(&self, namespace: &str) -> Vec<&Pods<'a>> {
        let found = self.pods_by_namespace.get(namespace).map_or(&[][..], Vec::as_slice);
        found.iter().filter_map(|index| self.pods.get(*index)).collect()
    }

    /// The pods of a workload, if it makes any.
    pub(crate) fn pods_of(&self, id: &ObjectId) -> Option<&Pods<'a>> {
        self.pods.get(*self.pods_by_owner.get(id)?)
    }

    /// The pods that mount a claim.
    pub(crate) fn pods_claiming(&self, namespace: &str, claim: &str) -> Vec<&Pods<'a>> {
        let found = self.pods_by_claim.get(&(namespace, claim)).map_or(&[][..], Vec::as_slice);
        found.iter().filter_map(|index| self.pods.get(*index)).collect()
    }

    /// The pods in a namespace that a selector matches; an empty selector matches none here.
    pub(crate) fn pods_with(&self, namespace: &str, labels: &Labels<'_>) -> Vec<&Pods<'a>> {
        let Some((key, value)) = labels.first() else { return Vec::new() };
        let found = self.pods_by_label.get(&(namespace, key, value)).map_or(&[][..], Vec::as_slice);
        let pods = found.iter().filter_map(|index| self.pods.get(*index));
        pods.filter(|pods| labels.match_node(pods.labels)).collect()
    }

    /// The CRD that defines a kind.
    pub(crate) fn crd(&self, group: &str, kind: &str) -> Option<&'a Object> {
        let own = self.crds.get(&(group, kind)).and_then(|index| self.deliveries.get(*index));
        own.map(|delivered| delivered.object).or_else(|| self.standing.get(&(group, kind)).copied())
    }

    /// The CRD of a kind that an operator makes for an object of the bundle.
    pub(crate) fn made_crd(&self, group: &str, kind: &str) -> Option<ObjectId> {
        self.made.get(&(group, kind)).cloned()
    }

    /// What an operator outside the input is taken to define for a kind. A chart that asks whether the group is served
    /// may write another version where it is, so nothing is said about that group then.
    pub(crate) fn outside(&self, group: &str, kind: &str) -> Option<&'a Outside> {
        let is_asked = |api: &str| api.split('/').next() == Some(group);
        if self.bundle.asked().any(is_asked) {
            return None;
        }
        let is_of = |one: &&Outside| {
            let text = |path: &[&str]| one.definition.text_at(path);
            text(&["spec", "group"]) == Some(group) && text(&["spec", "names", "kind"]) == Some(kind)
        };
        self.bundle.outside.iter().find(is_of)
    }

    fn index_crd(&mut self, index: usize, object: &'a Object) {
        if let Some(defined) = defines(object) {
            self.crds.insert(defined, index);
        }
    }

    fn index_pods(&mut self) {
        for (index, pods) in self.pods.iter().enumerate() {
            self.pods_by_owner.insert(pods.owner.id.clone(), index);
            self.pods_by_namespace.entry(pods.namespace()).or_default().push(index);
            for volume in pods.spec.list_at(&["volumes"]) {
                if let Some(claim) = volume.text_at(&["persistentVolumeClaim", "claimName"]) {
                    self.pods_by_claim.entry((pods.namespace(), claim)).or_default().push(index);
                }
            }
            for (key, value) in pods.labels.map_or(&[][..], |labels| labels.entries()) {
                let value = value.text().unwrap_or_default();
                self.pods_by_label.entry((pods.namespace(), &key.text, value)).or_default().push(index);
            }
        }
    }
}
