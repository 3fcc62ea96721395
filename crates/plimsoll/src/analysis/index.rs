//! Where objects are declared and what causes a moment, looked up once for all findings.

use plimsoll_knowledge::{Folders, Known, Site};
use plimsoll_model::Milestone::Stored;
use plimsoll_model::{
    Bundle, FileIndex, Files, Milestone, Moment, Object, ObjectId, Place, Premise, StepIndex,
};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Look-ups that findings share.
pub(super) struct Index {
    declared: FxHashMap<ObjectId, Declared>,
    installed: FxHashMap<ObjectId, Arc<Premise>>,
    objects_in: FxHashMap<FileIndex, usize>,
    carriers: FxHashMap<Moment, Vec<ObjectId>>,
    backends: FxHashMap<Moment, Vec<Moment>>,
    folders: Folders,
}

/// What is known of the first declaration of an object.
struct Declared {
    step: StepIndex,
    place: Place,
    /// Whether its annotations are for another tool than the one that is taken to deliver it.
    is_by_others: bool,
    /// Whether it tells another tool what to deliver, and is one of the things that this tool delivers.
    is_told_to_others: bool,
    /// Whether another file declares it too. A Namespace is repeated by files that go together.
    is_elsewhere: bool,
    /// What has to be true for any of its declarations to be delivered.
    premise: Option<Arc<Premise>>,
}

/// What has to be true for definitions that other tools install.
fn installed(bundle: &Bundle) -> FxHashMap<ObjectId, Arc<Premise>> {
    let installed = bundle.outside.iter().filter(|outside| outside.installer.is_some());
    installed
        .filter_map(|outside| Some((outside.definition.id.clone(), outside.definition.premise.clone()?)))
        .collect()
}

/// Where an object is declared: at its name, unless that was made elsewhere, by a helper of a chart or by a patch.
fn declaration(object: &Object) -> Place {
    let name = object.place_of(&["metadata", "name"]);
    if name.file == object.place().file { name } else { object.place_of(&["kind"]) }
}

impl Index {
    pub(super) fn new(bundle: &Bundle, known: &Known) -> Self {
        let mut declared: FxHashMap<ObjectId, Declared> = FxHashMap::default();
        let mut objects_in = FxHashMap::default();
        for (step, object) in bundle.deliveries() {
            *objects_in.entry(object.place().file).or_default() += 1;
            let premise = || object.premise.clone();
            let known = declared.entry(object.id.clone()).or_insert_with(|| Declared {
                step,
                place: declaration(object),
                is_by_others: plimsoll_knowledge::is_by_others(bundle, step, object),
                is_told_to_others: plimsoll_knowledge::is_told_to_others(bundle, step, object),
                is_elsewhere: false,
                premise: premise(),
            });
            known.is_elsewhere |= known.place.file != object.place().file && object.id.kind() != "Namespace";
            known.premise = known.premise.take().and_then(|_| premise());
        }
        let (carriers, backends) = (FxHashMap::default(), FxHashMap::default());
        let folders = Folders::new(bundle);
        let installed = installed(bundle);
        let mut index = Self { declared, installed, objects_in, carriers, backends, folders };
        for cause in &known.causes {
            if let Some(carrier) = &cause.carrier {
                index.carriers.entry(cause.moment.clone()).or_default().push(carrier.clone());
            }
            if cause.moment.milestone == Milestone::Serving {
                let waits = cause.after.iter().flat_map(|clause| &clause.0);
                let healthy =
                    waits.filter(|wait| matches!(wait.milestone, Milestone::Serving | Milestone::Ready));
                index.backends.entry(cause.moment.clone()).or_default().extend(healthy.cloned());
            }
        }
        index
    }

    /// Where an object is declared.
    pub(super) fn place(&self, id: &ObjectId) -> Option<Place> {
        self.declared.get(id).map(|declared| declared.place)
    }

    /// Whether a file holds one object and no other.
    pub(super) fn is_alone_in(&self, file: FileIndex) -> bool {
        self.objects_in.get(&file) == Some(&1)
    }

    /// The first step that delivers an object.
    pub(super) fn step(&self, id: &ObjectId) -> Option<StepIndex> {
        self.declared.get(id).map(|declared| declared.step)
    }

    /// Whether nobody said that all of these objects are applied together, the one that needs the others first; what is
    /// not delivered does not count.
    pub(super) fn are_apart(&self, files: &Files, objects: &[&ObjectId]) -> bool {
        let declared = || objects.iter().filter_map(|id| self.declared.get(id));
        let mut sites = declared().map(|one| Site {
            step: one.step,
            file: one.place.file,
            folder: files.folder(one.place),
            is_elsewhere: one.is_elsewhere,
        });
        let first = sites.next();
        first.is_some_and(|first| sites.any(|other| self.folders.are_apart(first, other)))
            || (objects.len() > 1 && declared().any(|one| one.is_by_others))
    }

    /// Whether instructions beside the files apply what is needed by a command of its own before the one that applies
    /// who needs it, and that is enough: nothing else has to happen in between.
    pub(super) fn are_in_turn(&self, needed: &Moment, then: &Moment) -> bool {
        let is_enough = matches!(needed.milestone, Stored | Milestone::Established | Milestone::Discoverable);
        let file = |moment: &Moment| Some(self.place(moment.object()?)?.file);
        let files =
            file(needed).zip(file(then)).filter(|_| is_enough && self.producers(needed).next().is_none());
        files.is_some_and(|(first, then)| self.folders.are_in_turn(first, then))
    }

    /// Whether an object tells another tool what to deliver, and is itself taken to be delivered by that.
    pub(super) fn is_told_to_others(&self, id: &ObjectId) -> bool {
        self.declared.get(id).is_some_and(|declared| declared.is_told_to_others)
    }

    /// What has to be true for an object to be delivered, where the input does not say.
    pub(super) fn premise(&self, id: &ObjectId) -> Option<&Arc<Premise>> {
        let declared = self.declared.get(id).map(|declared| declared.premise.as_ref());
        declared.unwrap_or_else(|| self.installed.get(id))
    }

    /// What produces a moment, where that is another object: one that nobody delivers is there by its producers alone.
    pub(super) fn producers(&self, moment: &Moment) -> impl Iterator<Item = &ObjectId> {
        let made = || {
            let id = moment.object().filter(|id| !self.declared.contains_key(*id))?;
            self.carriers.get(&id.at(Stored))
        };
        self.carriers.get(moment).or_else(made).into_iter().flatten()
    }

    /// What brings a moment about, nearest first: its producers, or for something that serves, the service and the
    /// workload behind it.
    pub(super) fn carriers(&self, moment: &Moment) -> Vec<&ObjectId> {
        let mut carriers: Vec<&ObjectId> = self.producers(moment).collect();
        let mut behind = self.backends.get(moment).and_then(|moments| moments.first());
        while let Some(next) = behind {
            let Some(id) = next.object().filter(|id| !carriers.contains(id)) else { break };
            carriers.push(id);
            behind = self.backends.get(next).and_then(|moments| moments.first());
        }
        carriers
    }
}
