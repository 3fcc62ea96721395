//! What each tool promises about order, read from its own source.

pub(crate) mod gates;
pub(crate) mod helm;
pub(crate) mod kubectl;
pub(crate) mod skipped;
pub(crate) mod steps;

use crate::rules::{hook_deleted_before_its_reader, hook_made_anew_while_needed, replicas_beside_autoscaler};
use plimsoll_model::{Action, Bundle, Object, ObjectId, Operation, StepIndex, Tool, Unit};

/// What a tool sends of a unit, in its order.
pub(crate) fn sent(unit: &Unit, operation: Operation) -> Vec<&Object> {
    match unit.delivery.tool {
        Tool::Kubectl => unit.objects.iter().collect(),
        Tool::Helm => helm::sent(unit, operation),
    }
}

/// What a tool deletes when all of a unit is taken away, in its order.
pub(crate) fn removed(unit: &Unit) -> Vec<&ObjectId> {
    match unit.delivery.tool {
        Tool::Kubectl => unit.objects.iter().map(|object| &object.id).collect(),
        Tool::Helm => helm::removed(unit),
    }
}

/// What of a unit is deleted again as soon as it was good for something.
pub(crate) fn brief(unit: &Unit) -> Vec<&ObjectId> {
    match unit.delivery.tool {
        Tool::Kubectl => Vec::new(),
        Tool::Helm => helm::brief(unit),
    }
}

/// What a step deletes because the deployment before had it and this one has not.
pub(crate) fn dropped(bundle: &Bundle, index: StepIndex, unit: &Unit) -> Vec<ObjectId> {
    match unit.delivery.tool {
        Tool::Kubectl => kubectl::prune::pruned(bundle, index).objects,
        Tool::Helm => helm::dropped(bundle, unit).into_iter().map(|object| object.id.clone()).collect(),
    }
}

/// Whether doing the same once more can fail where the first time could not: something is deleted on the way.
#[must_use]
pub fn is_repeated_otherwise(bundle: &Bundle) -> bool {
    bundle.steps.iter().any(|step| match &step.action {
        Action::Remove(_) => true,
        Action::Deliver(unit) => {
            hook_made_anew_while_needed::is_possible(unit)
                || hook_deleted_before_its_reader::is_possible(unit)
                || replicas_beside_autoscaler::is_possible(unit)
        }
        _ => false,
    })
}
