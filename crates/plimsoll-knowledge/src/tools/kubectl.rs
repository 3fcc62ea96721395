//! What `kubectl apply`, `create`, `replace` and `delete` promise about the order inside one command.
//!
//! Read from kubernetes v1.36.4: `staging/src/k8s.io/kubectl/pkg/cmd/apply/apply.go` (`Run`, `GetObjects`),
//! `cmd/delete/delete.go`, `staging/src/k8s.io/cli-runtime/pkg/resource/{visitor,kustomizevisitor,mapper}.go`. Client-side and
//! server-side apply go through the same loop.

pub(crate) mod fix;
pub(crate) mod prune;

use super::steps::add;
use crate::delays::DELAYS;
use crate::known::Known;
use plimsoll_model::Milestone::{Checked, Complete, Gone, Started, Stored, Submitted};
use plimsoll_model::{
    Arranged, Clause, Delay, Guarantee, Moment, Object, ObjectId, Removal, Step, StepIndex, Unit,
};

const SOURCE: &str = "kubernetes v1.36.4, kubectl/pkg/cmd/apply/apply.go: Run";

/// `apply` maps every object before it sends the first, `create` and `replace` map each when its turn comes; either
/// way nobody waits for a kind. Objects are sent one by one, in the order given, and a refused one does not stop the
/// rest. kubectl waits for no health at all.
/// What it prunes is deleted when all was accepted, and not waited for.
pub(crate) fn deliver(index: StepIndex, step: &Step, unit: &Unit, pruned: &[ObjectId], known: &mut Known) {
    let started = Moment::step(index, Started);
    let (because, source) = order(unit.delivery.arranged);
    let mut previous: Option<Moment> = None;
    let mut accepted = Vec::with_capacity(unit.objects.len());
    for object in distinct(unit) {
        let request = |milestone| Moment::request(index, &object.id, milestone);
        let (checked, submitted, stored) = (request(Checked), request(Submitted), request(Stored));
        add(known, checked.clone(), vec![started.clone().into()], DELAYS.discovery.delay());
        add(known, submitted.clone(), vec![checked.into()], Delay::NONE);
        add(known, stored.clone(), vec![submitted.clone().into()], DELAYS.request.delay());
        if let Some(previous) = &previous {
            known.guarantees.push(Guarantee {
                first: vec![previous.clone()],
                then: vec![submitted],
                because: because.into(),
                source,
                place: step.place,
            });
        }
        accepted.push(Clause::one(stored.clone()));
        previous = Some(stored);
    }
    for id in pruned {
        add(known, id.at(Gone), accepted.clone(), DELAYS.deleted.delay());
    }
    let mut over = vec![Clause::one(started.clone())];
    over.extend(previous.map(Clause::one));
    let mut success = vec![Clause::one(started)];
    success.extend(accepted);
    add(known, Moment::step(index, Complete), success, Delay::NONE);
    add(known, Moment::step(index, Gone), over, Delay::NONE);
}

/// What the order of a delivery rests on. kubectl sends a kustomization as kustomize prints it, and sorts nothing itself.
fn order(arranged: Arranged) -> (&'static str, &'static str) {
    match arranged {
        Arranged::AsWritten => (
            "kubectl sends one object after the other, in the order of arguments, files and documents",
            SOURCE,
        ),
        Arranged::AsListed => (
            "kubectl sends one object after the other, in the order of the kustomization's `resources`",
            "kustomize v5.8.1, api/krusty/kustomizer.go: applySortOrder",
        ),
        Arranged::ByKind => (
            "kubectl sends one object after the other, in the order of kinds into which kustomize puts them",
            "kustomize v5.8.1, api/internal/builtins/SortOrderTransformer.go",
        ),
        Arranged::AsChart { .. } => (
            "kubectl sends one object after the other, in the order in which Helm prints them",
            "helm v4.3.1, pkg/cmd/template.go",
        ),
    }
}

/// Objects that one command names twice are sent twice; the order of the first request is the one that counts.
fn distinct(unit: &Unit) -> impl Iterator<Item = &Object> {
    let mut seen = rustc_hash::FxHashSet::default();
    unit.objects.iter().filter(move |object| seen.insert(object.id.clone()))
}

/// Deletions are sent one by one; unless `--wait=false` the command then waits until all of them are gone. Where one of
/// several is not there it ends with an error at once, and the others go on terminating (kubectl v0.36.4
/// `pkg/cmd/delete/delete.go`, `DeleteResult`; seen on a real server).
pub(crate) fn remove(index: StepIndex, removal: &Removal, known: &mut Known) {
    let started = Clause::one(Moment::step(index, Started));
    let mut gone = vec![started.clone()];
    for id in &removal.objects {
        add(known, id.at(Gone), vec![started.clone()], DELAYS.deleted.delay());
        gone.push(id.at(Gone).into());
    }
    let may_fail = removal.objects.len() > 1 && !removal.ignores_missing;
    let success = if removal.waits { gone.clone() } else { vec![started.clone()] };
    let end = if removal.waits && !may_fail { gone } else { vec![started] };
    add(known, Moment::step(index, Complete), success, Delay::NONE);
    add(known, Moment::step(index, Gone), end, Delay::NONE);
}
