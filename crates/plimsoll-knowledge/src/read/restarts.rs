//! Programs that a script starts again.

use crate::tools::gates;
use crate::view::View;
use plimsoll_model::{Action, ObjectId, Step, StepIndex};

/// Whether a workload or its pods are deleted or restarted behind a step: what came too late for the old is there for
/// the new. What a command deletes or restarts without naming it may be these.
pub(crate) fn come_after(view: &View<'_>, step: Option<StepIndex>, owner: &ObjectId) -> bool {
    let mut later = view.bundle.numbered_steps().filter(|(index, _)| Some(*index) > step);
    later.any(|(_, step)| match &step.action {
        Action::Remove(removal) => {
            let is_meant =
                |id: &ObjectId| id == owner || id.is("", "Pod") || Some(id.name()) == owner.namespace();
            removal.objects.is_empty() || removal.objects.iter().any(is_meant)
        }
        Action::Wait(gate) if restarts(step) => {
            gate.targets.iter().any(|target| gates::watched(view, target).contains(owner))
        }
        _ => restarts(step),
    })
}

fn restarts(step: &Step) -> bool {
    let words: Vec<&str> = step.says.split_whitespace().collect();
    words.windows(2).any(|pair| pair == ["rollout", "restart"])
}
