//! PLM-R061: an upgrade deletes what the revision before had and this one has not, although something still needs it.
//!
//! Helm v4.3.1 and v3.22.0 `pkg/kube/client.go` (`update`: `originals.Difference(targets)`): deleted once everything else
//! was accepted, unless the object on the cluster says `helm.sh/resource-policy: keep`.

use super::hook_deleted_before_its_reader::is_read;
use crate::rule::{Found, Rule};
use crate::tools::{self, helm};
use crate::view::View;
use plimsoll_model::Milestone::{Complete, Gone};
use plimsoll_model::{
    Action, Actor, Answer, Class, Clause, Code, Confidence, Object, ObjectId, Reading, Requirement,
    StepIndex, Tool, Unit,
};
use rustc_hash::FxHashMap;

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R061"),
    name: "object-dropped-while-needed",
    class: Class::ReferenceMissing,
    page: include_str!("object_dropped_while_needed.md"),
    find: |_, _| {},
};

/// Who deletes it, in words.
type Dropped = FxHashMap<ObjectId, &'static str>;

/// Whatever any rule says is needed is not there once it is deleted.
pub(crate) fn find(view: &View<'_>, found: &mut Found) {
    let Some(before) = view.bundle.before.as_deref().filter(|_| view.scene.operation.is_change()) else {
        return;
    };
    let dropped = dropped(view);
    let lost = found.requirements.iter().filter_map(|requirement| {
        let [needed] = requirement.first.0.as_slice() else { return None };
        let id = needed.object().filter(|id| needed.milestone != Complete && is_read(id))?;
        let by = dropped.get(id).filter(|_| requirement.reading != Reading::OnceSilently)?;
        let reader = requirement.then.object()?;
        let is_kept = view.delivers(reader) && !dropped.contains_key(reader) && !found.is_brought(id);
        is_kept.then(|| lose(requirement, (reader, id), (by, view.delivers(id))))
    });
    let lost: Vec<Requirement> = lost.collect();
    for (_, object) in before.deliveries().filter(|(_, object)| holds_others(&object.id)) {
        let is_told = lost.iter().any(|one| one.then.object() == Some(&object.id));
        if let Some(by) = dropped.get(&object.id).filter(|_| !is_told) {
            lose_others(object, by, found);
        }
    }
    found.requirements.extend(lost);
}

/// What the steps delete of the deployment before and do not bring again.
fn dropped(view: &View<'_>) -> Dropped {
    let mut dropped = Dropped::default();
    for (index, step) in view.bundle.numbered_steps() {
        let Action::Deliver(unit) = &step.action else { continue };
        let by = match unit.delivery.tool {
            Tool::Helm => "Helm",
            Tool::Kubectl => "kubectl",
        };
        let ids = tools::dropped(view.bundle, index, unit).into_iter();
        dropped.extend(ids.filter(|id| !is_brought_again(view, index, unit, id)).map(|id| (id, by)));
    }
    dropped
}

/// Whether a later step delivers an object again, or a hook behind the deletion.
fn is_brought_again(view: &View<'_>, index: StepIndex, unit: &Unit, id: &ObjectId) -> bool {
    let again = view.deliveries().iter().filter(|delivered| delivered.object.id == *id);
    again.map(|delivered| delivered.step).any(|step| {
        let is_behind =
            || helm::Timetable::of(unit, view.scene.operation).phase(id) == Some(helm::Phase::After);
        step > index || (step == index && unit.delivery.tool == Tool::Helm && is_behind())
    })
}

/// Whether other objects go with an object.
fn holds_others(id: &ObjectId) -> bool {
    id.is("", "Namespace") || id.is("apiextensions.k8s.io", "CustomResourceDefinition")
}

fn lose(
    requirement: &Requirement,
    (reader, id): (&ObjectId, &ObjectId),
    (by, is_hook): (&str, bool),
) -> Requirement {
    let goes_too = holds_others(id);
    let and = if goes_too { format!(", and {reader} with it") } else { String::new() };
    let why = if is_hook { "was part of the release and is a hook now" } else { "is not delivered any more" };
    let answer = requirement.answer.clone();
    Requirement {
        rule: RULE.code,
        first: Clause(Vec::new()),
        told: Some(reader.at(Gone)),
        then: id.at(Gone),
        lost: Vec::new(),
        reading: if goes_too { Reading::OnceSilently } else { requirement.reading },
        message: format!("{}, but {id} {why}: {by} deletes it{and}", requirement.message),
        answer: Answer { does: format!("{}, after {by} has deleted it", answer.does), ..answer },
        false_guard: None,
        remedy: Some(remedy(id, by)),
        ..requirement.clone()
    }
}

/// What others have put into a Namespace, or made of a kind, goes too.
fn lose_others(object: &Object, by: &str, found: &mut Found) {
    let what = if object.id.is("", "Namespace") {
        "everything that others have put into it".to_owned()
    } else {
        format!(
            "every {} that others have made",
            object.text_at(&["spec", "names", "kind"]).unwrap_or("object")
        )
    };
    RULE.requires(Clause(Vec::new()), object.id.at(Gone))
        .read(Reading::OnceSilently)
        .sure(Confidence::Assumed)
        .at(object.place_of(&["metadata", "name"]))
        .says(format!("{} is not delivered any more: {by} deletes it, and {what}", object.id))
        .answered(Actor::ApiServer, format!("deletes {what}"), "")
        .mended(remedy(&object.id, by))
        .push(found);
}

fn remedy(id: &ObjectId, by: &str) -> String {
    match by {
        "Helm" => format!(
            "keep {id} in the templates, or give it `helm.sh/resource-policy: keep` in a revision before the one that \
             leaves it out"
        ),
        _ => format!("keep {id} in what is applied, or apply without `--prune`"),
    }
}
