//! What `kubectl apply --prune` deletes of what the steps before have brought.
//!
//! Read from kubectl v0.36.4: `pkg/cmd/apply/apply.go` (`Run`), `pkg/cmd/apply/prune.go`, `applyset_pruner.go`,
//! `pkg/util/prune/prune.go`; held against traces of the real one. It deletes only after everything was accepted, one
//! object after the other, waits for none to be gone, and stops at the first that is refused.

use plimsoll_model::{Action, Bundle, Delivery, Object, ObjectId, Selector, StepIndex, Tool, Unit};
use std::collections::BTreeSet;

/// What is pruned unless `--prune-allowlist` says otherwise, in the order in which it is.
const ALLOWED: [(&str, &str); 16] = [
    ("", "ConfigMap"),
    ("", "Endpoints"),
    ("", "PersistentVolumeClaim"),
    ("", "Pod"),
    ("", "ReplicationController"),
    ("", "Secret"),
    ("", "Service"),
    ("batch", "Job"),
    ("batch", "CronJob"),
    ("networking.k8s.io", "Ingress"),
    ("apps", "DaemonSet"),
    ("apps", "Deployment"),
    ("apps", "ReplicaSet"),
    ("apps", "StatefulSet"),
    ("", "Namespace"),
    ("", "PersistentVolume"),
];

/// What a step deletes besides what it delivers.
#[derive(Debug, Default)]
pub struct Pruned {
    /// The objects.
    pub objects: Vec<ObjectId>,
    /// Whether those of one namespace are deleted in this order, and those of none behind all others. Which namespace
    /// comes first is never promised.
    pub is_in_order: bool,
}

/// What a step prunes, as far as earlier steps are known to have delivered it.
#[must_use]
pub fn pruned(bundle: &Bundle, pruning: StepIndex) -> Pruned {
    let unit = bundle.numbered_steps().find(|(index, _)| *index == pruning).map(|(_, step)| &step.action);
    let Some(Action::Deliver(unit)) = unit.filter(|action| is_pruning(action)) else {
        return Pruned::default();
    };
    let sent: BTreeSet<&ObjectId> = unit.objects.iter().map(|object| &object.id).collect();
    let before = bundle.before.iter().flat_map(|before| &before.steps);
    let earlier = bundle.numbered_steps().take_while(|(index, _)| *index < pruning).map(|(_, step)| step);
    let earlier = before.chain(earlier).filter_map(|step| match &step.action {
        Action::Deliver(unit) => Some(unit),
        _ => None,
    });
    match value(&unit.delivery, "--applyset=") {
        Some(_) => {
            let members = earlier.filter(|one| is_same_set(&one.delivery, &unit.delivery));
            let ids: BTreeSet<&ObjectId> = members.flat_map(|one| &one.objects).map(|one| &one.id).collect();
            Pruned { objects: ids.difference(&sent).copied().cloned().collect(), is_in_order: false }
        }
        None => Pruned { objects: by_label(unit, earlier, &sent), is_in_order: true },
    }
}

fn is_pruning(action: &Action) -> bool {
    let Action::Deliver(Unit { delivery, .. }) = action else { return false };
    delivery.tool == Tool::Kubectl && delivery.verb == "apply" && is_set(delivery, "--prune")
}

/// A set is a Secret or another object that stands for it, in a namespace.
fn is_same_set(one: &Delivery, other: &Delivery) -> bool {
    ["--applyset=", "--namespace="].into_iter().all(|flag| value(one, flag) == value(other, flag))
}

/// Objects with the label whose kind is allowed, in the namespaces that the command has been to, if they carry the
/// annotation of a client-side `apply`.
fn by_label<'a>(
    unit: &'a Unit,
    earlier: impl Iterator<Item = &'a Unit>,
    sent: &BTreeSet<&ObjectId>,
) -> Vec<ObjectId> {
    let allowed = allowed(&unit.delivery);
    let asked = value(&unit.delivery, "--namespace=");
    let visited: BTreeSet<&str> =
        unit.objects.iter().filter_map(|object| object.id.namespace()).chain(asked).collect();
    let selector = value(&unit.delivery, "--selector=").map(Selector::parse);
    let is_selected = |object: &Object| match &selector {
        Some(selector) => selector
            .as_ref()
            .is_some_and(|selector| selector.matches(object.root.at(&["metadata", "labels"]))),
        None => true,
    };
    let position = |id: &ObjectId| {
        let at = allowed.iter().position(|(group, kind)| id.is(group, kind))?;
        let is_here = id.namespace().is_none_or(|namespace| visited.contains(namespace));
        // Those of no namespace come last.
        is_here.then(|| (id.namespace().is_none(), id.namespace().map(str::to_owned), at, id.clone()))
    };
    let annotated =
        earlier.filter(|one| one.delivery.verb == "apply" && !is_set(&one.delivery, "--server-side"));
    let selected = annotated.flat_map(|one| &one.objects).filter(|object| is_selected(object));
    let left = selected.map(|object| &object.id).filter(|id| !sent.contains(id));
    let ordered: BTreeSet<_> = left.filter_map(position).collect();
    ordered.into_iter().map(|(.., id)| id).collect()
}

/// Group and kind of what may be pruned, in the order in which it is.
fn allowed(delivery: &Delivery) -> Vec<(&str, &str)> {
    let listed = delivery.flags.iter().filter_map(|flag| flag.strip_prefix("--prune-allowlist="));
    let listed = listed.flat_map(|list| list.split(',')).filter_map(|one| {
        let mut parts = one.split('/');
        let (group, _version, kind) = (parts.next()?, parts.next()?, parts.next()?);
        Some((if group == "core" { "" } else { group }, kind))
    });
    let listed: Vec<_> = listed.collect();
    if listed.is_empty() { ALLOWED.to_vec() } else { listed }
}

fn is_set(delivery: &Delivery, flag: &str) -> bool {
    let is = |one: &String| one == flag || one.strip_prefix(flag) == Some("=true");
    delivery.flags.iter().any(is)
}

fn value<'a>(delivery: &'a Delivery, flag: &str) -> Option<&'a str> {
    delivery.flags.iter().rev().find_map(|one| one.strip_prefix(flag))
}
