//! An object of which an operator makes a definition brings that CRD, and is established only after it. One for which a
//! whole operator is installed brings the CRDs of everything in the input that is of its groups; a release of Flux or
//! Argo CD those of its chart.

use crate::definers::{Installed, defined, installed};
use crate::delays::DELAYS;
use crate::read::resource;
use crate::rule::Found;
use crate::view::View;
use plimsoll_model::Milestone::{Established, Observed, Stored};
use plimsoll_model::{Action, Clause, Delay, Object, ObjectId, Target};

pub(super) fn live(view: &View<'_>, object: &Object, found: &mut Found) {
    let mut all: Vec<Clause> = Vec::new();
    for made in defined(object) {
        if !view.delivers(&made.crd) {
            bring(&made.crd, object, found);
        }
        all.push(made.crd.at(Established).into());
    }
    if !all.is_empty() {
        found.cause(object.id.at(Established), all, Delay::NONE);
    }
}

/// The definitions that come with what is installed for an object, which are there before it is ready.
pub(super) fn install(view: &View<'_>, object: &Object, found: &mut Found) -> Vec<ObjectId> {
    let mut definitions: Vec<ObjectId> = Vec::new();
    for installed in installed(object).filter(|installed| !is_awaited(view, installed)) {
        for instance in view.objects() {
            let (group, kind) = (instance.id.group(), instance.id.kind());
            // Before an object could be stored, its own kind was defined.
            if object.id.is(group, kind) || !installed.defines(group, kind) || view.crd(group, kind).is_some()
            {
                continue;
            }
            let crd = resource::crd(view, group, kind);
            if !definitions.contains(&crd) {
                bring(&crd, object, found);
                definitions.push(crd);
            }
        }
    }
    for outside in view.bundle.outside.iter().filter(|outside| outside.installer.as_ref() == Some(&object.id))
    {
        bring(&outside.definition.id, object, found);
        definitions.push(outside.definition.id.clone());
    }
    definitions
}

fn bring(crd: &ObjectId, object: &Object, found: &mut Found) {
    found.bring(crd, &object.id, vec![object.id.at(Observed).into()], DELAYS.made.delay());
    found.cause(crd.at(Established), vec![crd.at(Stored).into()], DELAYS.crd_established.delay());
}

/// Whether a script waits for something that only the operator's installer writes: then for the definitions, too.
fn is_awaited(view: &View<'_>, installed: &Installed) -> bool {
    let gates = view.bundle.steps.iter().filter_map(|step| match &step.action {
        Action::Wait(gate) => Some(gate),
        _ => None,
    });
    gates.flat_map(|gate| &gate.targets).any(|target| match target {
        Target::Named { resource, .. } | Target::Selected { resource, .. } => installed.is_awaited(resource),
        Target::Files(_) => false,
    })
}
