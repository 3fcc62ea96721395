//! Plain references: one data table, `data/references.toml`, says which field names what, and how it is read.
//!
//! A row is enough where "this field names that object" is all there is to say; behaviour that a row cannot say is a
//! rule of its own.

mod path;
mod row;

use crate::rule::{Found, Statement};
use crate::view::View;
use crate::{read, rules};
use path::Hit;
use plimsoll_model::Milestone::Stored;
use plimsoll_model::{Clause, Moment, Node, Object, ObjectId, Reading};
pub(crate) use row::ROWS;
use row::{Consumer, Row, When};

/// States a requirement for every reference of the table that the bundle holds.
pub(crate) fn find(view: &View<'_>, found: &mut Found) {
    for row in ROWS.iter() {
        match &row.consumer {
            Consumer::Pod => find_in_pods(view, row, found),
            Consumer::Kind { group, kind } => {
                for object in view.of_kind(group, kind) {
                    find_in_object(view, row, object, found);
                }
            }
        }
    }
}

/// The names of all rows.
pub(crate) fn ids() -> impl Iterator<Item = String> {
    ROWS.iter().map(|row| row.id().to_owned())
}

fn find_in_pods(view: &View<'_>, row: &Row, found: &mut Found) {
    for pods in view.pods().iter().filter(|pods| pods.run) {
        row.path.visit(pods.spec, &mut |hit| {
            let moments = match row.when {
                When::Created => pods.creations(view),
                when => vec![(pods.owner.id.at(when.milestone()), row.reading)],
            };
            refer(view, row, pods.owner, (hit, moments), found);
        });
    }
}

fn find_in_object(view: &View<'_>, row: &Row, object: &Object, found: &mut Found) {
    row.path.visit(&object.root, &mut |hit| {
        let moments = match row.when {
            When::Request => view.requests(&object.id, Stored).map(|moment| (moment, row.reading)).collect(),
            when => vec![(object.id.at(when.milestone()), row.reading)],
        };
        refer(view, row, object, (hit, moments), found);
    });
}

type Seen<'a, 'b> = (&'b Hit<'a>, Vec<(Moment, Reading)>);

fn refer(view: &View<'_>, row: &Row, owner: &Object, (hit, moments): Seen<'_, '_>, found: &mut Found) {
    let Some(name) = hit.node.text_at(&[&row.name]).or_else(|| hit.node.text().filter(|_| row.name.is_empty()))
    else {
        return;
    };
    let is_optional = row.optional.as_ref().is_some_and(|key| hit.node.bool_at(&[key]) == Some(true));
    let Some(target) = row.target(owner, hit.node, name) else { return };
    let keys = row.keys(hit.node);
    for (then, reading) in moments {
        let reading = if is_optional { row.optional_reading } else { Some(reading) };
        let Some(reading) = reading else { continue };
        let filled = |text: &str| fill(text, owner, &target, hit, "");
        let rule = rules::by_code(&row.rule);
        let statement = |first: Clause, text: String| -> Statement {
            rule.requires(first, then.clone())
                .read(reading)
                .at(hit.node.place)
                .says(filled(&row.message))
                .answered(row.actor, filled(&row.does), text)
        };
        statement(target.at(row.milestone).into(), filled(&row.answer))
            .despite(row.guard(view, owner, hit))
            .push(found);
        let missing = keys.iter().filter(|_| !is_optional).filter(|key| lacks(view, &target, key));
        for key in missing {
            let text = fill(&row.key_answer, owner, &target, hit, key);
            statement(Clause(Vec::new()), text)
                .class(rule.class)
                .says(format!("{} and asks for its key {key}, which it does not have", filled(&row.message)))
                .push(found);
        }
    }
}

/// Whether the input declares the object without the key.
fn lacks(view: &View<'_>, target: &ObjectId, key: &str) -> bool {
    view.object(target).and_then(read::keys::of).is_some_and(|keys| !keys.contains(&key))
}

/// Fills the places of a row's text.
fn fill(text: &str, owner: &Object, target: &ObjectId, hit: &Hit<'_>, key: &str) -> String {
    text.replace("{owner}", &owner.id.to_string())
        .replace("{target}", &target.to_string())
        .replace("{name}", target.name())
        .replace("{namespace}", target.namespace().unwrap_or_default())
        .replace("{item}", hit.item.and_then(|item| item.text_at(&["name"])).unwrap_or_default())
        .replace("{key}", key)
}

/// The text at a key, or the node's own text for an empty key.
pub(crate) fn text_at<'a>(node: &'a Node, key: &str) -> Option<&'a str> {
    if key.is_empty() { node.text() } else { node.text_at(&[key]) }
}
