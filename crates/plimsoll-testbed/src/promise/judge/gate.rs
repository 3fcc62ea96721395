//! A wait: it asks until it has its answer, and what comes behind it comes behind its last question.

use super::{Judgement, Seen};
use crate::promise::trace::Trace;
use plimsoll_model::Action;

pub(super) fn check(seen: &Seen<'_>, number: usize, trace: &Trace, judgement: &mut Judgement) {
    judgement.tally.gates += 1;
    if seen.code(number) != 0 {
        return;
    }
    let Some(last) = trace.requests.last() else {
        judgement.contradict(format!("command {number} waited without asking"));
        return;
    };
    let Some(Action::Deliver(unit)) = seen.bundle.steps.get(number + 1).map(|step| &step.action) else {
        return;
    };
    let behind = seen.trace(number + 1);
    if behind.requests.first().is_some_and(|first| first.received <= last.received) {
        judgement.contradict(format!("command {} did not wait for command {number}", number + 1));
    }
    for object in unit.objects.iter().filter(|object| object.id.group().ends_with("example.com")) {
        let is_found = behind.about(&object.id).next().is_some();
        let (found, missed) = &mut judgement.tally.instances_behind_gate;
        *if is_found { found } else { missed } += 1;
    }
}
