//! PLM-R060: a script deletes what it has delivered, by `kubectl delete`, `helm uninstall` or `--prune`, before those that
//! need it have read it.
//!
//! What is pruned: kubectl v0.36.4 `pkg/cmd/apply/prune.go`; seen on a real server v1.36.4.

use super::hook_deleted_before_its_reader::is_read;
use crate::rule::{Found, Rule};
use crate::tools::kubectl::prune::pruned;
use crate::view::View;
use plimsoll_model::Milestone::{Complete, Gone};
use plimsoll_model::{
    Action, Class, Clause, Code, ObjectId, Operation, Requirement, Step, StepIndex, Window,
};
use rustc_hash::{FxHashMap, FxHashSet};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R060"),
    name: "object-deleted-before-its-reader",
    class: Class::ConfigMissing,
    page: include_str!("object_deleted_before_its_reader.md"),
    find: |_, _| {},
};

/// Whatever any rule says is needed is not there for those who come after its deletion.
pub(crate) fn find(view: &View<'_>, found: &mut Found) {
    let deletions = deletions(view);
    if view.scene.operation != Operation::Install || deletions.is_empty() {
        return;
    }
    let last: FxHashMap<&ObjectId, &str> = deletions
        .iter()
        .filter(|(index, id, _)| is_last_word(view, *index, id) && !found.is_brought(id))
        .map(|(_, id, says)| (id, *says))
        .collect();
    let gone: FxHashSet<&ObjectId> = deletions.iter().map(|(_, id, _)| id).collect();
    let missed = found.requirements.iter().filter_map(|requirement| {
        let [needed] = requirement.first.0.as_slice() else { return None };
        let id = needed.object().filter(|_| needed.milestone != Complete)?;
        let says = last.get(id)?;
        // Who is deleted himself needs nothing in the end.
        let reader = requirement.then.object().filter(|reader| !gone.contains(reader) && *reader != id)?;
        let is_told = view.delivers(reader);
        is_told.then(|| miss(requirement, id, says))
    });
    let missed: Vec<Window> = missed.collect();
    found.windows.extend(missed);
}

/// Everything that a step is sure to delete, and how it is written.
fn deletions<'a>(view: &View<'a>) -> Vec<(StepIndex, ObjectId, &'a str)> {
    let steps = view.bundle.numbered_steps().filter(|(_, step)| !step.may_be_skipped && step.place.is_some());
    let all = steps.flat_map(|(index, step)| {
        let ids = deleted(view, index, step).into_iter();
        ids.map(move |id| (index, id, step.says.as_str()))
    });
    // What goes with a Namespace is another rule's.
    all.filter(|(_, id, _)| is_read(id) && !id.is("", "Namespace")).collect()
}

fn deleted(view: &View<'_>, index: StepIndex, step: &Step) -> Vec<ObjectId> {
    match &step.action {
        Action::Remove(removal) => removal.objects.clone(),
        Action::Deliver(_) => pruned(view.bundle, index).objects,
        _ => Vec::new(),
    }
}

/// Whether an object is delivered before a step, and by none behind it.
fn is_last_word(view: &View<'_>, deleting: StepIndex, id: &ObjectId) -> bool {
    let deliveries: Vec<StepIndex> =
        view.deliveries().iter().filter(|one| one.object.id == *id).map(|one| one.step).collect();
    !deliveries.is_empty() && deliveries.iter().all(|step| *step < deleting)
}

fn miss(requirement: &Requirement, id: &ObjectId, says: &str) -> Window {
    let requirement = Requirement {
        rule: RULE.code,
        first: Clause(Vec::new()),
        told: Some(id.at(Gone)),
        message: format!("{}, but `{says}` deletes {id}", requirement.message),
        false_guard: None,
        remedy: Some(format!("do not delete {id} while it is needed")),
        ..requirement.clone()
    };
    Window { open: vec![id.at(Gone).into()], requirement }
}
