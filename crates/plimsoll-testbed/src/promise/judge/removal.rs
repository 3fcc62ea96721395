//! A deletion: one request for each object, and with `--wait` nothing is left when the command ends.

use super::{Judgement, Seen};
use crate::promise::trace::Trace;
use plimsoll_model::{Action, Removal};

pub(super) fn check(
    seen: &Seen<'_>,
    number: usize,
    removal: &Removal,
    trace: &Trace,
    judgement: &mut Judgement,
) {
    let mut previous = None;
    for id in &removal.objects {
        let Some(request) = trace.about(id).find(|request| request.verb == "delete") else {
            if !id.group().ends_with("example.com") {
                judgement.contradict(format!("command {number} did not ask for the deletion of {id}"));
            }
            continue;
        };
        judgement.tally.deleted += usize::from(request.is_accepted());
        if let Some(before) = previous.replace(request.received) {
            judgement.tally.deletions.0 += 1;
            judgement.tally.deletions.1 += usize::from(request.received > before);
        }
    }
    if removal.waits {
        check_gone(seen, number, removal, judgement);
    }
}

/// The command behind a deletion that waited must find every name free.
fn check_gone(seen: &Seen<'_>, number: usize, removal: &Removal, judgement: &mut Judgement) {
    let next = seen.bundle.steps.get(number + 1).map(|step| &step.action);
    if !matches!(next, Some(Action::Deliver(unit)) if unit.delivery.verb == "create") {
        return;
    }
    let deleted = seen.trace(number);
    for id in &removal.objects {
        let was_deleted = deleted.about(id).any(|request| request.verb == "delete" && request.is_accepted());
        let created = seen.trace(number + 1).write(id);
        if let (true, Some(created)) = (was_deleted, created) {
            judgement.tally.created_again += 1;
            let code = seen.code(number);
            let is_promised = code == 0 || removal.ignores_missing || removal.objects.len() == 1;
            if created.code == 409 && !is_promised {
                judgement.tally.still_there += 1;
            } else if created.code == 409 {
                let what = format!("command {number} waited for the deletion of {id} and ended with {code}");
                judgement.contradict(format!("{what}, but it was still there for command {}", number + 1));
            }
        }
    }
}
