//! What `helm install`, `upgrade` and `uninstall` promise about order, and what they wait for.
//!
//! Read from Helm v4.3.1 and v3.22.0: `pkg/action/{install,upgrade,uninstall,hooks}.go`, `pkg/kube/client.go`; seen in
//! the requests of both (`crates/plimsoll-testbed/observed/helm.tsv`).

pub(crate) mod fix;
mod hook;
#[cfg(test)]
mod observed;
mod phase;
mod previous;
mod release;
mod settings;
mod sorting;
mod wait;

use super::steps::add;
use crate::delays::DELAYS;
use crate::known::Known;
use crate::view::View;
pub(crate) use hook::{Event, Part, around, part, unknown_events};
pub use phase::{Phase, Phases, Timetable};
use plimsoll_model::Milestone::{
    Checked, Complete, Established, Gone, Observed, Ready, Started, Stored, Submitted,
};
use plimsoll_model::{
    Action, Bundle, Clause, Deadline, Delay, Guarantee, Milestone, Moment, Object, ObjectId, Operation, Step,
    StepIndex, Tool, Unit,
};
pub(crate) use release::{Release, is_brief};
use rustc_hash::FxHashSet;
use settings::Waits;
pub(crate) use settings::{Version, version};

/// Adds what one command does: definitions, then a look at every kind of the release, then hooks, the release, hooks.
pub(crate) fn deliver(
    index: StepIndex,
    step: &Step,
    (unit, dropped): (&Unit, &[ObjectId]),
    operation: Operation,
    known: &mut Known,
) {
    let release = Release::of(unit, operation);
    let mut run = Run { index, step, release: &release, known, gate: vec![Moment::step(index, Started)] };
    run.define();
    run.leave_out();
    run.map();
    run.hooks(&release.before);
    run.send();
    run.drop(dropped);
    run.wait();
    run.hooks(&release.after);
    run.end();
}

/// Adds what `helm uninstall` does. It asks for every deletion without waiting for one to happen, unless it is told to.
pub(crate) fn remove(index: StepIndex, step: &Step, unit: &Unit, known: &mut Known) {
    let release = Release::of(unit, Operation::Uninstall);
    let mut run = Run { index, step, release: &release, known, gate: vec![Moment::step(index, Started)] };
    run.hooks(&release.before);
    let mut over = run.clauses();
    for id in removed(unit) {
        add(run.known, id.at(Gone), run.clauses(), DELAYS.deleted.delay());
        if release.settings.waits != Waits::No {
            over.push(id.at(Gone).into());
        }
    }
    run.reach(Observed, over);
    run.hooks(&release.after);
    run.end();
}

/// What `helm uninstall` deletes, in its order: no hooks, nothing of `crds/`, and nothing with a policy of its own, be it
/// `keep` or a word that Helm does not know.
pub(crate) fn removed(unit: &Unit) -> Vec<&ObjectId> {
    let has_policy =
        |object: &Object| object.text_at(&["metadata", "annotations", "helm.sh/resource-policy"]).is_some();
    let main = Release::of(unit, Operation::Uninstall).main.into_iter().flatten();
    main.filter(|object| !has_policy(object)).map(|object| &object.id).collect()
}

/// The objects of the revision before.
pub(crate) fn before<'a>(bundle: &'a Bundle, unit: &Unit) -> Vec<&'a Object> {
    let previous = previous::of(bundle, unit).map(|previous| Release::of(previous, Operation::Upgrade));
    previous.map(|release| release.main.into_iter().flatten().collect()).unwrap_or_default()
}

/// What an upgrade or a rollback deletes: what the revision before had and this one has not, unless it is to be kept.
/// Hooks belong to no revision.
pub(crate) fn dropped<'a>(bundle: &'a Bundle, unit: &Unit) -> Vec<&'a Object> {
    let is_kept = |object: &Object| {
        object.text_at(&["metadata", "annotations", "helm.sh/resource-policy"]) == Some("keep")
    };
    let sent = Release::of(unit, Operation::Upgrade).main;
    let sent: FxHashSet<&ObjectId> = sent.iter().flatten().map(|object| &object.id).collect();
    before(bundle, unit).into_iter().filter(|object| !sent.contains(&object.id) && !is_kept(object)).collect()
}

/// Whether the definition of a kind lies in `crds/` of a chart, is not on the cluster, and is not sent, since the release is
/// there already.
pub(crate) fn is_withheld(view: &View<'_>, index: StepIndex, group: &str, kind: &str) -> bool {
    let unit = match view.bundle.step(index).map(|step| &step.action) {
        Some(Action::Deliver(unit)) if unit.delivery.tool == Tool::Helm => unit,
        _ => return false,
    };
    let is_known = view.bundle.before.is_some() && view.scene.operation.is_change();
    is_known && view.crd(group, kind).is_none() && release::defines(unit, group, kind)
}

/// The hooks of an installation that are gone once it is over.
pub(crate) fn brief(unit: &Unit) -> Vec<&ObjectId> {
    let hooks = Release::of(unit, Operation::Install);
    hooks.hooks().filter(|hook| is_brief(hook)).map(|hook| &hook.id).collect()
}

/// Whether an object of a chart is part of the release itself.
pub(crate) fn is_main(object: &Object) -> bool {
    part(object) == Part::Main
}

/// What one command creates or updates, in its order.
pub(crate) fn sent(unit: &Unit, operation: Operation) -> Vec<&Object> {
    Release::of(unit, operation).objects().collect()
}

/// A command while its moments are added, one phase after the other.
struct Run<'a> {
    index: StepIndex,
    step: &'a Step,
    release: &'a Release<'a>,
    known: &'a mut Known,
    /// What has happened before anything that is added from here on.
    gate: Vec<Moment>,
}

/// What a promise rests on, and where it was read.
type Ground = (&'static str, &'static str);

const DEFINITIONS: Ground = (
    "Helm sends the definitions in `crds/` one by one, before anything else",
    "helm v4.3.1 and v3.22.0, pkg/action/install.go: installCRDs",
);
const ESTABLISHED: Ground = (
    "Helm 3 waits until the definitions in `crds/` are established",
    "helm v3.22.0, pkg/action/install.go: installCRDs",
);
const MAPPED: Ground = (
    "Helm looks up the kind of every object of the release before it runs a hook or creates anything",
    "helm v4.3.1 and v3.22.0, pkg/action/install.go: RunWithContext",
);
const HOOKS: Ground = (
    "Helm runs hooks one by one, by weight and then by name, and goes on when a Job or Pod among them has succeeded",
    "helm v4.3.1 and v3.22.0, pkg/action/hooks.go: execHook",
);
const KINDS: Ground = (
    "Helm sends the release kind by kind, in an order of its own",
    "helm v4.3.1, pkg/release/v1/util/kind_sorter.go: InstallOrder; pkg/kube/client.go: batchPerform",
);
impl Run<'_> {
    /// Sends what lies in `crds/`. Helm 4 goes on as soon as it is stored.
    fn define(&mut self) {
        for object in &self.release.definitions {
            self.check(&[object], DEFINITIONS);
            self.submit(&[object], DEFINITIONS);
            self.gate = vec![self.request(object, Complete)];
        }
        if self.release.settings.version == Version::Three {
            self.gate.extend(self.release.definitions.iter().map(|object| object.id.at(Established)));
        }
    }

    /// Looks up every kind. If one is not found, nothing of the release is sent.
    fn map(&mut self) {
        let ground = if self.gate.len() > 1 { ESTABLISHED } else { DEFINITIONS };
        let mut mapped = self.clauses();
        if let Some(namespace) = self.release.made_namespace() {
            add(self.known, namespace.at(Stored), self.clauses(), DELAYS.request.delay());
            mapped.push(namespace.at(Stored).into());
        }
        let objects = self.release.main.concat();
        self.check(&objects, ground);
        mapped.extend(objects.iter().map(|object| self.request(object, Checked).into()));
        self.reach(Submitted, mapped);
    }

    /// Runs hooks. One that fails ends the command.
    fn hooks(&mut self, hooks: &[&Object]) {
        for object in hooks {
            let ground = if self.gate == [Moment::step(self.index, Submitted)] { MAPPED } else { HOOKS };
            if self.release.makes_anew(object) {
                add(self.known, object.id.at(Gone), self.clauses(), DELAYS.deleted.delay());
            }
            self.check(&[object], ground);
            self.submit(&[object], ground);
            let is_waited_for =
                matches!((object.id.group(), object.id.kind()), ("batch", "Job") | ("", "Pod"));
            // At an upgrade a Job of this name has completed before; the request says which one is meant.
            self.gate = vec![self.request(object, Complete)];
            if is_waited_for {
                let done = object.id.at(Complete);
                self.give_up(self.request(object, Stored), vec![done.clone().into()]);
                self.gate.push(done);
            }
        }
        let brief: Vec<&Object> = hooks.iter().copied().filter(|hook| is_brief(hook)).collect();
        for hook in brief.iter().rev() {
            add(self.known, hook.id.at(Gone), self.clauses(), DELAYS.deleted.delay());
        }
        if self.release.settings.version == Version::Three {
            self.gate.extend(brief.iter().map(|hook| hook.id.at(Gone)));
        }
    }

    /// Passes over hooks at events that Helm does not know.
    fn leave_out(&mut self) {
        for object in &self.release.left_out {
            let passed = self.request(object, Checked);
            add(self.known, passed, self.clauses(), Delay::NONE);
        }
    }

    /// Sends the release. A refusal ends the command, but not before every kind had its turn.
    fn send(&mut self) {
        let mut accepted = self.clauses();
        for kind in &self.release.main {
            let ground = if self.gate == [Moment::step(self.index, Submitted)] { MAPPED } else { KINDS };
            self.submit(kind, ground);
            accepted.extend(kind.iter().map(|object| self.request(object, Complete).into()));
            self.gate = kind.iter().map(|object| self.request(object, Stored)).collect();
        }
        self.reach(Observed, accepted);
    }

    /// Deletes what the release has no longer, once everything else was accepted; nobody waits until it is gone.
    fn drop(&mut self, dropped: &[ObjectId]) {
        for id in dropped {
            add(self.known, id.at(Gone), self.clauses(), DELAYS.deleted.delay());
        }
    }

    fn wait(&mut self) {
        let settings = &self.release.settings;
        if settings.waits == Waits::No {
            return;
        }
        let objects = self.release.main.iter().flatten();
        let seen: Vec<Clause> =
            objects.filter_map(|object| wait::proved(object, settings)).map(Clause::one).collect();
        let mut over = self.clauses();
        over.extend(seen.iter().cloned());
        self.give_up(Moment::step(self.index, Observed), seen);
        self.reach(Ready, over);
    }

    fn end(&mut self) {
        let (started, complete) = (Moment::step(self.index, Started), Moment::step(self.index, Complete));
        add(self.known, complete.clone(), self.clauses(), Delay::NONE);
        add(self.known, Moment::step(self.index, Gone), vec![complete.into()], Delay::NONE);
        let usual = self.release.settings.timeout;
        let patience = Delay { low: usual, usual, high: usual };
        add(self.known, Moment::step(self.index, Gone), vec![started.into()], patience);
    }

    /// Looks up the kinds of objects.
    fn check(&mut self, objects: &[&Object], ground: Ground) {
        for object in objects {
            let started = Moment::step(self.index, Started);
            add(self.known, self.request(object, Checked), vec![started.into()], DELAYS.discovery.delay());
        }
        self.promise(objects, Checked, ground);
    }

    fn submit(&mut self, objects: &[&Object], ground: Ground) {
        for object in objects {
            let (checked, submitted) = (self.request(object, Checked), self.request(object, Submitted));
            add(self.known, submitted.clone(), vec![checked.into()], Delay::NONE);
            add(self.known, self.request(object, Stored), vec![submitted.into()], DELAYS.request.delay());
        }
        self.promise(objects, Submitted, ground);
    }

    /// Promises that a milestone of each request comes after everything so far.
    fn promise(&mut self, objects: &[&Object], milestone: Milestone, (because, source): Ground) {
        self.known.guarantees.push(Guarantee {
            first: self.gate.clone(),
            then: objects.iter().map(|object| self.request(object, milestone)).collect(),
            because: because.into(),
            source,
            place: self.step.place,
        });
    }

    /// The command as a whole reaches a milestone, and what follows comes after it.
    fn reach(&mut self, milestone: Milestone, after: Vec<Clause>) {
        let moment = Moment::step(self.index, milestone);
        add(self.known, moment.clone(), after, Delay::NONE);
        self.gate = vec![moment];
    }

    fn give_up(&mut self, start: Moment, awaited: Vec<Clause>) {
        let Some(place) = self.step.place else { return };
        let (within, says) = (self.release.settings.timeout, self.step.says.clone());
        self.known.deadlines.push(Deadline { start, awaited, within, place, says });
    }

    fn clauses(&self) -> Vec<Clause> {
        self.gate.iter().cloned().map(Clause::one).collect()
    }

    fn request(&self, object: &Object, milestone: Milestone) -> Moment {
        Moment::request(self.index, &object.id, milestone)
    }
}
