//! PLM-R043: one command delivers the same object twice with different content; the second removes what only the
//! first had. Seen on a real server v1.36.4, with client-side and server-side apply.

use crate::read::{answer, resource};
use crate::rule::{Found, Rule, Statement};
use crate::tools;
use crate::view::{Delivered, View};
use plimsoll_model::Milestone::{Complete, Stored};
use plimsoll_model::{Action, Actor, Class, Clause, Code, Confidence, Moment, Node, Object, Reading, Value};
use rustc_hash::FxHashMap;

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
        for (first, second) in contradictions(tools::sent(unit, view.scene.operation)) {
            let earlier = first.place_of(&["metadata", "name"]);
            let place = format!("{}:{}", view.bundle.files.path(earlier), earlier.line);
            // Nobody said that files of one folder are sent in one command; they may be alternatives.
            let is_said = step.place.is_some() || first.place().file == second.place().file;
            let statement = RULE
                .requires(Clause(Vec::new()), Moment::request(index, &second.id, Stored))
                .sure(if is_said { Confidence::Proved } else { Confidence::Assumed })
                .at(second.place_of(&["metadata", "name"]))
                .says(format!("{} is delivered twice with different content, first at {place}", second.id));
            let statement = statement.mended("keep one of the two, or give one of them another name");
            answer(view, Delivered { step: index, object: second }, &unit.delivery.verb, statement)
                .push(found);
        }
    }
}

/// `kubectl create` refuses the second one; `apply` and `replace` let it win.
fn answer(view: &View<'_>, second: Delivered<'_>, verb: &str, statement: Statement) -> Statement {
    if verb == "create" {
        let id = &second.object.id;
        let text = format!("{} \"{}\" already exists", resource::of(view, id.group(), id.kind()), id.name());
        let text = answer::refused(view, second, "AlreadyExists", &text);
        // The first one was taken: the command fails, and the object is there.
        let statement = statement.loses(Moment::step(second.step, Complete));
        return statement.answered(Actor::ApiServer, "refuses to create it again", text);
    }
    let does = "keeps what the second one says and drops the rest of the first";
    statement.read(Reading::OnceSilently).answered(Actor::ApiServer, does, "")
}

/// Each object that differs from the one before it of the same name.
fn contradictions(sent: Vec<&Object>) -> Vec<(&Object, &Object)> {
    let mut latest = FxHashMap::default();
    let named = sent.into_iter().filter(|object| object.text_at(&["metadata", "name"]).is_some());
    named
        .filter_map(|object| Some((latest.insert(&object.id, object)?, object)))
        .filter(|(first, second)| !is_same(first, second))
        .collect()
}

/// Whether two declarations say the same, wherever and in whatever order. A namespace that only one of them spells
/// out is no difference: it is part of the identity.
fn is_same(first: &Object, second: &Object) -> bool {
    let empty = Node { value: Value::Null, place: first.place() };
    let metadata = |object: &Object| object.root.get("metadata").cloned().unwrap_or_else(|| empty.clone());
    agree(&first.root, &second.root, "metadata") && agree(&metadata(first), &metadata(second), "namespace")
}

fn agree(first: &Node, second: &Node, but: &str) -> bool {
    let keys = first.entries().iter().chain(second.entries()).map(|(key, _)| &*key.text);
    keys.filter(|key| *key != but).all(|key| match (first.get(key), second.get(key)) {
        (Some(first), Some(second)) => says_the_same(first, second),
        (first, second) => first.is_none() && second.is_none(),
    })
}

fn says_the_same(first: &Node, second: &Node) -> bool {
    match (&first.value, &second.value) {
        (Value::Map(_), Value::Map(_)) => agree(first, second, ""),
        (Value::List(first), Value::List(second)) => {
            first.len() == second.len()
                && first.iter().zip(second).all(|(first, second)| says_the_same(first, second))
        }
        (first, second) => first == second,
    }
}
