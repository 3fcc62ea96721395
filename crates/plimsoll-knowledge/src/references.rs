//! Plain references: one data table, `data/references.toml` and `data/references-of-operators.toml`, says which field
//! names what, and how it is read.
//!
//! A row is enough where "this field names that object" is all there is to say; behaviour that a row cannot say is a
//! rule of its own.

mod path;
mod row;
mod sighting;
mod words;

use crate::read::pods::Pods;
use crate::rule::Found;
use crate::view::View;
use plimsoll_model::Milestone::Stored;
use plimsoll_model::{Actor, Object};
pub use row::Reference;
use row::{Consumer, ROWS, Row, When};
use sighting::{Read, Sighting};
use std::sync::LazyLock;

/// States a requirement for every reference of the table that the bundle holds.
pub(crate) fn find(view: &View<'_>, found: &mut Found) {
    for row in ROWS.iter() {
        match &row.consumer {
            Consumer::Pod => {
                for pods in view.pods().iter().filter(|pods| pods.run) {
                    find_in_pods(view, row, pods, found);
                }
            }
            Consumer::Custom { kinds } => {
                let is_meant = |object: &&Object| {
                    kinds.iter().any(|kind| kind == "*" || kind == object.id.kind())
                        && !plimsoll_schema::is_builtin_group(object.id.group())
                };
                for object in view.objects().filter(is_meant) {
                    find_in_object(view, row, object, found);
                }
            }
            Consumer::Kinds { group, kinds } => {
                for object in kinds.iter().flat_map(|kind| view.of_kind(group, kind)) {
                    find_in_object(view, row, object, found);
                }
            }
        }
    }
}

/// Reads the table.
pub(crate) fn prepare() {
    LazyLock::force(&ROWS);
}

/// Every row, for those who list them.
pub(crate) fn all() -> impl Iterator<Item = Reference<'static>> {
    ROWS.iter().map(Row::reference)
}

/// The names of all rows.
pub(crate) fn ids() -> impl Iterator<Item = String> {
    ROWS.iter().map(|row| row.id().to_owned())
}

fn find_in_pods(view: &View<'_>, row: &Row, pods: &Pods<'_>, found: &mut Found) {
    row.path.visit(pods.spec, &mut |hit| {
        let read = |then, reading, actor| Read { then, reading, actor };
        let reads = match row.when {
            When::Created => {
                let actor = if pods.is_bare() { Actor::ApiServer } else { Actor::Controller };
                pods.creations(view).into_iter().map(|(then, reading)| read(then, reading, actor)).collect()
            }
            when => vec![read(pods.owner.id.at(when.milestone()), row.reading, row.actor)],
        };
        if let Some(sighting) = Sighting::in_pods(view, row, pods, hit) {
            sighting.state(reads, found);
        }
    });
}

fn find_in_object(view: &View<'_>, row: &Row, object: &Object, found: &mut Found) {
    row.path.visit(&object.root, &mut |hit| {
        let read = |then| Read { then, reading: row.reading, actor: row.actor };
        let reads = match row.when {
            When::Request => view.requests(&object.id, Stored).map(read).collect(),
            when => vec![read(object.id.at(when.milestone()))],
        };
        if let Some(sighting) = Sighting::new(view, row, object, hit) {
            sighting.state(reads, found);
        }
    });
}
