//! A delivery as a whole: everything is sent, nothing else is, and the exit code says whether all was accepted.

use super::{Judgement, Seen, pruning};
use crate::promise::trace::Trace;
use plimsoll_model::{ObjectId, Unit};
use std::collections::BTreeSet;

/// What became of one object of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Accepted,
    Refused,
    /// Its kind was not known to the server when kubectl asked.
    Unmapped,
}

pub(super) fn check(seen: &Seen<'_>, number: usize, unit: &Unit, trace: &Trace, judgement: &mut Judgement) {
    let ids: BTreeSet<&ObjectId> = unit.objects.iter().map(|object| &object.id).collect();
    let mut is_all_accepted = true;
    for id in &ids {
        let Some(fate) = fate(id, trace) else {
            judgement.contradict(format!("command {number} did not send {id}"));
            continue;
        };
        is_all_accepted &= fate == Fate::Accepted;
        let writes = trace.about(id).filter(|request| request.stores()).count();
        judgement.tally.unchanged += usize::from(fate == Fate::Accepted && writes == 0);
        judgement.tally.sent_twice += usize::from(writes > 1);
        judgement.tally.refused += usize::from(fate == Fate::Refused);
        if number == 0 {
            count_instance(id, fate, &ids, &unit.delivery.verb, judgement);
        }
    }
    let code = seen.code(number);
    if (code == 0) != is_all_accepted {
        let all = if is_all_accepted { "everything" } else { "not everything" };
        judgement.contradict(format!("command {number} ended with {code}, and {all} was accepted"));
    }
    let is_pruning = unit.delivery.flags.iter().any(|flag| flag.starts_with("--prune"));
    if is_pruning {
        pruning::check(seen, number, &ids, judgement);
    } else {
        for request in trace.requests.iter().filter(|request| request.stores() && !ids.contains(&request.id))
        {
            judgement
                .contradict(format!("command {number} sent {}, which the model does not know", request.id));
        }
    }
    check_lookup(&unit.delivery.verb, trace, judgement);
}

fn fate(id: &ObjectId, trace: &Trace) -> Option<Fate> {
    let is_custom = id.group().ends_with("example.com");
    let last = trace.about(id).filter(|request| request.stores()).last().or_else(|| trace.about(id).last());
    match last {
        Some(request) if request.is_accepted() => Some(Fate::Accepted),
        Some(_) => Some(Fate::Refused),
        None => is_custom.then_some(Fate::Unmapped),
    }
}

/// On a cluster that does not have the CRD yet.
fn count_instance(
    id: &ObjectId,
    fate: Fate,
    ids: &BTreeSet<&ObjectId>,
    verb: &str,
    judgement: &mut Judgement,
) {
    let is_with_definition = ids.iter().any(|other| other.kind() == "CustomResourceDefinition");
    if id.group().ends_with("example.com") && is_with_definition {
        let instances = judgement.tally.instances.entry(verb.to_owned()).or_default();
        if fate == Fate::Unmapped { instances.1 += 1 } else { instances.0 += 1 }
    }
}

/// Whether kinds were looked up again after the first write.
fn check_lookup(verb: &str, trace: &Trace, judgement: &mut Judgement) {
    let Some(first) = trace.first_write() else { return };
    let lookups = judgement.tally.lookups.entry(verb.to_owned()).or_default();
    lookups.0 += 1;
    lookups.1 += usize::from(trace.discoveries.iter().any(|discovery| *discovery > first));
}
