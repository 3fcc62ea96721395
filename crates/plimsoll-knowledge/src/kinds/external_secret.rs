//! An ExternalSecret brings its Secret once its store is ready, and is ready only after that.
//!
//! external-secrets v0.20.4 `pkg/controllers/externalsecret/externalsecret_controller.go`.

use super::stored;
use crate::delays::DELAYS;
use crate::rule::Found;
use crate::view::View;
use plimsoll_model::Milestone::{Observed, Ready, Stored};
use plimsoll_model::{Clause, Delay, Object, ObjectId};

pub(super) fn live(view: &View<'_>, object: &Object, found: &mut Found) {
    found.cause(object.id.at(Observed), stored(object), Delay::NONE);
    let mut fetched: Vec<Clause> = vec![object.id.at(Observed).into()];
    let store = store(object).filter(|store| view.delivers(store));
    fetched.extend(store.map(|store| Clause::one(store.at(Ready))));
    if let Some(secret) = made(object) {
        found.bring(&secret, &object.id, fetched, DELAYS.secret_fetched.delay());
        fetched = vec![secret.at(Stored).into()];
    }
    found.cause(object.id.at(Ready), fetched, Delay::NONE);
}

/// The Secret that it makes. Under `Merge` somebody else makes it, under `None` nobody does.
fn made(object: &Object) -> Option<ObjectId> {
    let target = |field: &str| object.text_at(&["spec", "target", field]);
    let is_made = matches!(target("creationPolicy"), None | Some("Owner" | "Orphan"));
    let name = target("name").unwrap_or_else(|| object.id.name());
    is_made.then(|| ObjectId::new("", "Secret", object.id.namespace(), name))
}

fn store(object: &Object) -> Option<ObjectId> {
    let reference = object.root.at(&["spec", "secretStoreRef"])?;
    let kind = reference.text_at(&["kind"]).unwrap_or("SecretStore");
    let namespace = if kind.starts_with("Cluster") { None } else { object.id.namespace() };
    Some(ObjectId::new("external-secrets.io", kind, namespace, reference.text_at(&["name"])?))
}
