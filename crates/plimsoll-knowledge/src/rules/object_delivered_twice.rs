//! PLM-R043: one command delivers the same object twice with different content, and the second removes what only the
//! first had; or a command creates what another has delivered, and fails. Seen on a real server v1.36.4, with
//! client-side and server-side apply.

use super::wait_before_object_exists::matters;
use crate::alternatives::{self, Files};
use crate::read::{answer, resource};
use crate::rule::{Found, Rule, Statement};
use crate::tools;
use crate::view::{Delivered, View};
use plimsoll_model::Milestone::{Complete, Stored};
use plimsoll_model::{
    Action, Actor, Class, Clause, Code, Confidence, Moment, ObjectId, Operation, Reading, Step, StepIndex,
    Unit,
};
use std::cell::LazyCell;

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R043"),
    name: "object-delivered-twice",
    class: Class::MixedOwnership,
    page: include_str!("object_delivered_twice.md"),
    find,
};

fn find(view: &View<'_>, found: &mut Found) {
    for (index, step) in view.bundle.numbered_steps() {
        let Action::Deliver(unit) = &step.action else { continue };
        let mut files = LazyCell::new(|| Files::new(view.bundle, unit));
        for (first, second) in alternatives::contradictions(tools::sent(unit, view.scene.operation)) {
            let earlier = first.place_of(&["metadata", "name"]);
            let place = format!("{}:{}", view.bundle.files.path(earlier), earlier.line);
            let statement = RULE
                .requires(Clause(Vec::new()), Moment::request(index, &second.id, Stored))
                .sure(if step.place.is_some() { Confidence::Proved } else { files.meant([first, second]) })
                .at(second.place_of(&["metadata", "name"]))
                .says(format!("{} is delivered twice with different content, first at {place}", second.id));
            let statement = statement.mended("keep one of the two, or give one of them another name");
            answer(view, Delivered { step: index, object: second }, &unit.delivery.verb, statement)
                .push(found);
        }
        if unit.delivery.verb == "create" && !unit.delivery.is_repeated && !step.may_be_skipped {
            create_again(view, (index, step), unit, found);
        }
    }
}

/// What is created although an earlier command of the script has brought it.
fn create_again(view: &View<'_>, (index, step): (StepIndex, &Step), unit: &Unit, found: &mut Found) {
    let Some(place) = step.place.filter(|_| matters(view, index, step)) else { return };
    let named = unit.objects.iter().filter(|object| object.text_at(&["metadata", "name"]).is_some());
    for object in named.filter(|object| is_brought_before(view, index, &object.id)) {
        let statement = RULE
            .requires(Clause(Vec::new()), Moment::request(index, &object.id, Stored))
            .at(place)
            .says(format!("`{}` creates {}, which is there already", step.says, object.id))
            .mended("use `kubectl apply` in place of `kubectl create`, or leave one of the two out");
        answer(view, Delivered { step: index, object }, "create", statement).push(found);
    }
}

/// Whether an earlier step is sure to have delivered an object, and none has deleted it since.
pub(super) fn is_brought_before(view: &View<'_>, index: StepIndex, id: &ObjectId) -> bool {
    let mut is_there = false;
    for (_, step) in view.bundle.numbered_steps().take_while(|(earlier, _)| *earlier < index) {
        match &step.action {
            Action::Deliver(unit) if !step.may_be_skipped => {
                is_there |= unit.objects.iter().any(|object| object.id == *id);
            }
            Action::Remove(removal) => {
                let goes_with =
                    |gone: &ObjectId| gone.is("", "Namespace") && Some(gone.name()) == id.namespace();
                is_there &= !removal.objects.iter().any(|gone| gone == id || goes_with(gone));
            }
            // What is not understood may delete anything.
            Action::Opaque(_) => is_there = false,
            _ => {}
        }
    }
    is_there && view.scene.operation == Operation::Install
}

/// `kubectl create` refuses the second one; `apply` and `replace` let it win.
fn answer(view: &View<'_>, second: Delivered<'_>, verb: &str, statement: Statement) -> Statement {
    if verb == "create" {
        let id = &second.object.id;
        let text = format!("{} \"{}\" already exists", resource::of(view, id.group(), id.kind()), id.name());
        let text = if is_from_file(view, second) {
            answer::refused(view, second, "AlreadyExists", &text)
        } else {
            generated(id, &text)
        };
        // The first one was taken: the command fails, and the object is there.
        let statement = statement.loses(Moment::step(second.step, Complete));
        return statement.answered(Actor::ApiServer, "refuses to create it again", text);
    }
    let does = "keeps what the second one says and drops the rest of the first";
    statement.read(Reading::OnceSilently).answered(Actor::ApiServer, does, "")
}

/// Whether an object stands in a file of its own, and not in the words of a command.
fn is_from_file(view: &View<'_>, delivered: Delivered<'_>) -> bool {
    let step = view.bundle.numbered_steps().find(|(index, _)| *index == delivered.step);
    let script = step.and_then(|(_, step)| step.place).map(|place| place.file);
    script != Some(delivered.object.place().file)
        || view.delivery(delivered.step).is_some_and(|delivery| delivery.source.is_some())
}

/// `kubectl create namespace shop` and its like have words of their own (kubectl v0.36.4 `pkg/cmd/create`).
fn generated(id: &ObjectId, text: &str) -> String {
    match id.kind() {
        "Namespace" | "Role" | "ClusterRole" => format!("Error from server (AlreadyExists): {text}"),
        "Secret" => format!("error: failed to create secret {text}"),
        kind => format!("error: failed to create {}: {text}", kind.to_ascii_lowercase()),
    }
}
