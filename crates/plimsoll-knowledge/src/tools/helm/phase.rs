//! In which phase of a release an object is sent.

use super::release::Release;
use super::settings::Waits;
use plimsoll_model::{Class, Object, ObjectId, Operation, Unit};
use rustc_hash::FxHashMap;

/// The phases of a release, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// The definitions in `crds/`.
    Definitions,
    /// The hooks before the release.
    Before,
    /// The release itself.
    Main,
    /// The hooks after the release.
    After,
}

/// The phases of the two ends of a pair that one command sends, and whether the command waits for the release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Phases {
    /// The phase of what must come first.
    pub first: Phase,
    /// The phase of what needs it.
    pub then: Phase,
    waits: bool,
}

/// In which phase of a release each of its objects is sent.
#[derive(Debug)]
pub struct Timetable {
    phases: FxHashMap<ObjectId, Phase>,
    waits: bool,
}

impl Timetable {
    /// The phases of all objects of a release.
    #[must_use]
    pub fn of(unit: &Unit, operation: Operation) -> Self {
        let release = Release::of(unit, operation);
        let main: Vec<&Object> = release.main.iter().flatten().copied().collect();
        let sent = [
            (Phase::Definitions, &release.definitions),
            (Phase::Before, &release.before),
            (Phase::Main, &main),
            (Phase::After, &release.after),
        ];
        let mut phases = FxHashMap::default();
        for (phase, objects) in sent {
            for object in objects {
                phases.entry(object.id.clone()).or_insert(phase);
            }
        }
        Self { phases, waits: release.settings.waits != Waits::No }
    }

    /// The phases of two objects of the release.
    #[must_use]
    pub fn phases(&self, first: &ObjectId, then: &ObjectId) -> Option<Phases> {
        Some(Phases { first: self.phase(first)?, then: self.phase(then)?, waits: self.waits })
    }

    pub(crate) fn phase(&self, id: &ObjectId) -> Option<Phase> {
        self.phases.get(id).copied()
    }
}

impl Phases {
    /// The kind of trouble, where the phases are what keeps the two apart. A wait for the release is a deadlock only
    /// where what lacks the hook, or something behind it, is waited for.
    #[must_use]
    pub fn class(&self, recovers: bool) -> Option<Class> {
        let are_hooks = matches!(self.first, Phase::Before | Phase::After) && self.first == self.then;
        match (self.first, self.then) {
            (Phase::After, Phase::Main) if self.waits && !recovers => Some(Class::HookDeadlock),
            _ if self.first > self.then || are_hooks => Some(Class::HookOrder),
            _ => None,
        }
    }
}
