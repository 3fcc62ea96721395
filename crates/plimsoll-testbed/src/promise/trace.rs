//! The requests of each command of a case, as the API server logged them.

use crate::audit::{Event, Stage};
use jiff::Timestamp;
use plimsoll_model::ObjectId;
use plimsoll_schema::{Scope, kinds_of_resource, scope};
use std::collections::BTreeMap;

/// One request about one object.
#[derive(Debug, Clone)]
pub(super) struct Request {
    pub(super) id: ObjectId,
    pub(super) verb: String,
    pub(super) received: Timestamp,
    pub(super) answered: Timestamp,
    pub(super) code: u16,
}

/// The requests of one command, in the order in which they were received.
#[derive(Debug, Clone, Default)]
pub(super) struct Trace {
    pub(super) requests: Vec<Request>,
    /// When the server was asked which kinds it has.
    pub(super) discoveries: Vec<Timestamp>,
}

/// The requests of every user, by name: one user is one command.
pub(super) fn traces(events: &[Event]) -> BTreeMap<String, Trace> {
    let mut traces: BTreeMap<String, Trace> = BTreeMap::new();
    for event in events.iter().filter(|event| event.stage == Stage::ResponseComplete) {
        let Some(user) = &event.impersonated_user else { continue };
        let trace = traces.entry(user.username.clone()).or_default();
        if let Some(request) = request(event) {
            trace.requests.push(request);
        } else if event.object.is_none() && event.uri.starts_with("/api") {
            trace.discoveries.push(event.received);
        }
    }
    for trace in traces.values_mut() {
        trace.requests.sort_by_key(|request| request.received);
    }
    traces
}

fn request(event: &Event) -> Option<Request> {
    let object =
        event.object.as_ref().filter(|object| object.subresource.is_empty() && !object.name.is_empty())?;
    let group = object.api_group.as_str();
    let built_in = kinds_of_resource(&object.resource).into_iter().find(|(of, _)| *of == group);
    let kind = built_in.map_or("Gadget", |(_, kind)| kind);
    let is_cluster_wide = scope(group, kind) == Some(Scope::Cluster);
    let namespace = (!is_cluster_wide).then_some(object.namespace.as_str());
    Some(Request {
        id: ObjectId::new(group, kind, namespace, &object.name),
        verb: event.verb.clone(),
        received: event.received,
        answered: event.reached,
        code: event.code(),
    })
}

impl Trace {
    /// The first request that would store this object.
    pub(super) fn write(&self, id: &ObjectId) -> Option<&Request> {
        self.requests.iter().find(|request| &request.id == id && request.stores())
    }

    /// Every request about this object.
    pub(super) fn about<'a>(&'a self, id: &'a ObjectId) -> impl Iterator<Item = &'a Request> {
        self.requests.iter().filter(move |request| &request.id == id)
    }

    /// When the first object was written, or its deletion asked for.
    pub(super) fn first_write(&self) -> Option<Timestamp> {
        self.requests.iter().find(|request| request.stores()).map(|request| request.received)
    }
}

impl Request {
    /// Whether it creates or changes the object.
    pub(super) fn stores(&self) -> bool {
        matches!(self.verb.as_str(), "create" | "update" | "patch")
    }

    pub(super) fn is_accepted(&self) -> bool {
        self.code < 300
    }
}
