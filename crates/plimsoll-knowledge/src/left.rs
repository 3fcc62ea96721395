//! What the deployment before has left on the cluster. It was healthy: what it brought and what it needed is there.

use crate::known::{Known, know};
use crate::read::crd;
use crate::rule::Found;
use crate::tools;
use crate::view::{Scene, View};
use plimsoll_model::{Action, Bundle, Moment, Object, ObjectId, Operation, Requirement};
use rustc_hash::{FxHashMap, FxHashSet};

/// What an earlier deployment has left, and what of it is declared otherwise now.
#[derive(Debug, Default)]
pub struct Left {
    ids: FxHashSet<ObjectId>,
    changed: FxHashSet<ObjectId>,
}

impl Left {
    /// What is left where an operation changes it; nothing if it is not known what was there before.
    pub(crate) fn of(view: &View<'_>) -> Option<Self> {
        let before = view.bundle.before.as_deref().filter(|_| view.scene.operation.is_change())?;
        let scene = Scene { operation: Operation::Install, ..view.scene };
        let earlier = View::new(before, scene);
        let Known { causes, requirements, .. } = know(before, scene);
        let brought = causes.iter().filter(|cause| cause.carrier.is_some()).map(|cause| &cause.moment);
        let needed = requirements.iter().flat_map(|requirement| &requirement.first.0);
        let mut ids: FxHashSet<ObjectId> =
            brought.chain(needed).filter_map(Moment::object).cloned().collect();
        ids.extend(earlier.objects().map(|object| object.id.clone()));
        for gone in gone(before) {
            ids.remove(gone);
        }
        let is_changed =
            |object: &&Object| earlier.object(&object.id).is_some_and(|old| !old.root.means(&object.root));
        let changed = view.objects().filter(is_changed).map(|object| object.id.clone()).collect();
        Some(Self { ids, changed })
    }

    /// Whether an object is there from the beginning.
    #[must_use]
    pub fn has(&self, id: &ObjectId) -> bool {
        self.ids.contains(id)
    }

    /// Whether it is there and stays as it is.
    #[must_use]
    pub fn keeps(&self, id: &ObjectId) -> bool {
        self.has(id) && !self.changed.contains(id)
    }

    /// Takes away every need that is met from the beginning.
    pub(crate) fn meet(&self, view: &View<'_>, found: &mut Found) {
        let definitions = definitions(view);
        let is_met = |requirement: &Requirement| {
            let mut first = requirement.first.0.iter().filter_map(Moment::object);
            first.any(|id| self.has(id) && !is_outdated(view, requirement, definitions.get(id).copied()))
        };
        found.requirements.retain(|requirement| !is_met(requirement));
        found.windows.retain(|window| !is_met(&window.requirement));
    }
}

/// What the steps before have deleted again.
fn gone(before: &Bundle) -> impl Iterator<Item = &ObjectId> {
    before.steps.iter().flat_map(|step| match &step.action {
        Action::Remove(removal) => removal.objects.iter().collect(),
        Action::Deliver(unit) => tools::brief(unit),
        _ => Vec::new(),
    })
}

/// The definitions that are there from the beginning.
fn definitions<'a>(view: &View<'a>) -> FxHashMap<&'a ObjectId, &'a Object> {
    let before = view.bundle.before.iter().flat_map(|before| before.deliveries());
    let definitions =
        before.map(|(_, object)| object).filter(|one| one.id.kind() == "CustomResourceDefinition");
    definitions.map(|one| (&one.id, one)).collect()
}

/// Whether a definition is there, but does not serve the version that is asked for.
fn is_outdated(view: &View<'_>, requirement: &Requirement, definition: Option<&Object>) -> bool {
    let instance = requirement.then.object().and_then(|id| view.object(id));
    let is_of = |definition: &Object, instance: &Object| {
        let (group, kind) = (["spec", "group"], ["spec", "names", "kind"]);
        instance
            .id
            .is(definition.text_at(&group).unwrap_or_default(), definition.text_at(&kind).unwrap_or_default())
    };
    definition.zip(instance).is_some_and(|(definition, instance)| {
        is_of(definition, instance) && !crd::serves(definition, &instance.version)
    })
}
