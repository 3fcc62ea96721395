//! What `--prune` deletes: what the model says, in the order that it promises, and nothing where something was refused.

use super::{Judgement, Seen};
use crate::promise::trace::Request;
use plimsoll_knowledge::{Pruned, pruned};
use plimsoll_model::{ObjectId, StepIndex};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn check(seen: &Seen<'_>, number: usize, ids: &BTreeSet<&ObjectId>, judgement: &mut Judgement) {
    let (trace, code) = (seen.trace(number), seen.code(number));
    let Ok(index) = u32::try_from(number) else { return };
    let promised = pruned(seen.bundle, StepIndex(index));
    let last = trace.requests.iter().rfind(|request| request.stores() && ids.contains(&request.id));
    let deleted = trace.requests.iter().filter(|request| request.verb == "delete");
    let deleted: BTreeMap<&ObjectId, &Request> = deleted.map(|request| (&request.id, request)).collect();
    judgement.tally.pruned += deleted.len();
    for (id, request) in &deleted {
        if last.is_some_and(|last| request.received < last.received) {
            judgement.contradict(format!("command {number} pruned {id} before all was applied"));
        }
        if code != 0 {
            judgement.contradict(format!("command {number} failed and pruned {id}"));
        }
        if !promised.objects.contains(id) {
            judgement.contradict(format!("command {number} pruned {id}, which the model does not know"));
        }
    }
    for id in promised.objects.iter().filter(|id| code == 0 && !deleted.contains_key(id)) {
        judgement.contradict(format!("command {number} did not prune {id}"));
    }
    if promised.is_in_order {
        check_order(number, &promised, &deleted, judgement);
    }
}

/// Those of one namespace one after the other, those of none behind all.
fn check_order(
    number: usize,
    promised: &Pruned,
    deleted: &BTreeMap<&ObjectId, &Request>,
    judgement: &mut Judgement,
) {
    let seen: Vec<&Request> = promised.objects.iter().filter_map(|id| deleted.get(id).copied()).collect();
    for (at, first) in seen.iter().enumerate() {
        for then in seen.iter().skip(at + 1) {
            let is_promised = then.id.namespace().is_none() || first.id.namespace() == then.id.namespace();
            if !is_promised {
                continue;
            }
            judgement.tally.pruned_in_order += 1;
            if then.received <= first.received {
                judgement.contradict(format!("command {number} pruned {} before {}", then.id, first.id));
            }
        }
    }
}
