//! Programs that a script starts again.

use crate::view::View;
use plimsoll_model::{Action, StepIndex};

/// Whether something is deleted or restarted behind a step: what came too late for the old is there for the new.
pub(crate) fn come_after(view: &View<'_>, step: Option<StepIndex>) -> bool {
    let mut later = view.bundle.numbered_steps().filter(|(index, _)| Some(*index) > step);
    later.any(|(_, step)| matches!(step.action, Action::Remove(_)) || step.says.contains("restart"))
}
