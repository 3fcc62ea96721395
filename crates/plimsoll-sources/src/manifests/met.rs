//! Kustomizations inside a folder that is none itself: each that no other takes in is one `kubectl apply -k`.

use super::kustomized;
use crate::claim::Claim;
use crate::input::Input;
use crate::kustomization::{Roots, roots};
use crate::reading::Reading;
use plimsoll_model::{Action, Object};

/// What the kustomizations deliver that were met on the way to plain manifests, and by which commands, folder by folder. Variants of one thing
/// are only named, and so is everything where the input says that another tool delivers it.
pub(super) fn read(input: &Input, reading: &mut Reading<'_>, plain: &Action) -> Vec<(Action, String)> {
    let met = reading.take_met();
    if met.is_empty() {
        return Vec::new();
    }
    let Roots { alone, variants } = roots(reading.host(), &met);
    let (problems, coverage) = (reading.bundle.problems.len(), reading.bundle.coverage);
    let mut built: Vec<(Action, String)> =
        alone.iter().map(|folder| kustomized(folder, input, reading)).collect();
    let mut others = variants;
    if built.iter().map(|(action, _)| action).chain([plain]).any(delivers_others) {
        reading.bundle.problems.truncate(problems);
        *reading.coverage_mut() = coverage;
        built.clear();
        others.extend(alone);
        others.sort();
    }
    for folder in others {
        reading.claimed(&folder, Claim::Kustomization);
    }
    built
}

/// Whether something that is delivered tells another tool what to deliver: Flux and Argo CD name folders.
pub(super) fn delivers_others(action: &Action) -> bool {
    let Action::Deliver(unit) = action else { return false };
    unit.objects.iter().any(|Object { id, root, .. }| {
        plimsoll_schema::delivering_spec(id.group(), id.kind()).is_some_and(|path| root.at(path).is_some())
    })
}
