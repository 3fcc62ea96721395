//! In which phase of a release an object is sent.

use super::release::Release;
use super::settings::Waits;
use plimsoll_model::{Class, ObjectId, Operation, Unit};

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

/// The phases of two objects of a release.
#[must_use]
pub fn phases(unit: &Unit, operation: Operation, first: &ObjectId, then: &ObjectId) -> Option<Phases> {
    let release = Release::of(unit, operation);
    let waits = release.settings.waits != Waits::No;
    Some(Phases { first: phase(&release, first)?, then: phase(&release, then)?, waits })
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

fn phase(release: &Release<'_>, id: &ObjectId) -> Option<Phase> {
    let sent = |objects: &[&plimsoll_model::Object]| objects.iter().any(|object| &object.id == id);
    if sent(&release.definitions) {
        Some(Phase::Definitions)
    } else if sent(&release.before) {
        Some(Phase::Before)
    } else if release.main.iter().any(|kind| sent(kind)) {
        Some(Phase::Main)
    } else {
        sent(&release.after).then_some(Phase::After)
    }
}
