//! Steps that a script may pass over: `if ! kubectl get namespace x; then kubectl create namespace x; fi`.
//!
//! Either the step runs, and what comes behind it comes after its end; or it is passed over, and then the script's
//! author takes what it would have brought as there already. So nobody needs the objects of a step that was passed
//! over, and the waits beside it in the same branch guard what comes behind the branch.

use super::steps::add;
use crate::known::Known;
use crate::view::View;
use plimsoll_model::Milestone::{Checked, Gone, Stored};
use plimsoll_model::{Action, Cause, Clause, Delay, Moment, Object, StepIndex, Subject};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Something is over, or a step was passed over.
pub(crate) fn or_skipped(over: Moment, step: StepIndex) -> Clause {
    Clause(vec![over, passed_over(step)])
}

fn passed_over(step: StepIndex) -> Moment {
    Moment::step(step, Checked)
}

/// Lets every need for what a skipped step brings about be met by its branch having been passed over.
pub(crate) fn excuse(view: &View<'_>, known: &mut Known) {
    let skipped = skipped(view);
    let excuses = excuses(view, &skipped, &Follows::of(&known.causes));
    let windows = known.windows.iter_mut().map(|window| &mut window.requirement);
    for requirement in known.requirements.iter_mut().chain(windows) {
        let met = requirement.first.0.iter().filter_map(|moment| excuses.get(moment)).flatten();
        let branches: BTreeSet<StepIndex> = met.copied().collect();
        requirement.first.0.extend(branches.into_iter().map(passed_over));
    }
    let branches: BTreeSet<StepIndex> = skipped.into_iter().map(|(branch, _)| branch).collect();
    for branch in branches {
        add(known, passed_over(branch), Vec::new(), Delay::NONE);
    }
}

/// The steps that may be passed over, each behind the one that stands for its branch.
fn skipped(view: &View<'_>) -> BTreeSet<(StepIndex, StepIndex)> {
    let edges = view.bundle.steps.iter().flat_map(|step| &step.after);
    let named = edges.filter_map(|after| Some((after.unless_skipped?, after.step)));
    let steps = view.bundle.numbered_steps();
    named.chain(steps.filter_map(|(index, step)| Some((step.branch?, index)))).collect()
}

/// Every moment that comes about by what skipped steps do, and their branches.
fn excuses(
    view: &View<'_>,
    skipped: &BTreeSet<(StepIndex, StepIndex)>,
    follows: &Follows<'_>,
) -> FxHashMap<Moment, BTreeSet<StepIndex>> {
    let mut excuses: FxHashMap<Moment, BTreeSet<StepIndex>> = FxHashMap::default();
    for (branch, step) in skipped {
        for moment in follows.all_behind(done(view, *step)) {
            excuses.entry(moment).or_default().insert(*branch);
        }
    }
    excuses
}

/// What a step does to its objects.
fn done(view: &View<'_>, step: StepIndex) -> Vec<Moment> {
    match view.bundle.step(step).map(|step| &step.action) {
        Some(Action::Deliver(unit)) => {
            let moments = |object: &Object| [object.id.at(Stored), Moment::request(step, &object.id, Stored)];
            unit.objects.iter().flat_map(moments).collect()
        }
        Some(Action::Remove(removal)) => removal.objects.iter().map(|id| id.at(Gone)).collect(),
        _ => Vec::new(),
    }
}

/// The moments of objects, by what each of them may come behind.
struct Follows<'a>(FxHashMap<&'a Moment, Vec<&'a Moment>>);

impl<'a> Follows<'a> {
    fn of(causes: &'a [Cause]) -> Self {
        let mut follows: FxHashMap<&Moment, Vec<&Moment>> = FxHashMap::default();
        for cause in causes.iter().filter(|cause| matches!(cause.moment.subject, Subject::Object(_))) {
            for before in cause.after.iter().flat_map(|clause| &clause.0) {
                follows.entry(before).or_default().push(&cause.moment);
            }
        }
        Self(follows)
    }

    /// The moments and all that comes about by them.
    fn all_behind(&self, mut waiting: Vec<Moment>) -> FxHashSet<Moment> {
        let mut found = FxHashSet::default();
        while let Some(moment) = waiting.pop() {
            if found.insert(moment.clone()) {
                let next = self.0.get(&moment).map_or(&[][..], Vec::as_slice);
                waiting.extend(next.iter().map(|moment| (*moment).clone()));
            }
        }
        found
    }
}
