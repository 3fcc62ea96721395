//! The writes that a webhook or policy is asked about: requests of the tool, and pods that controllers make of them.

use super::admission::{Criteria, Request};
use super::pods::Pods;
use super::{answer, resource};
use crate::view::{Delivered, View};
use plimsoll_model::Milestone::Stored;
use plimsoll_model::{Actor, Confidence, Moment, Object, ObjectId, Place, Reading, StepIndex};

/// One write that is asked about.
#[derive(Debug)]
pub(crate) struct Intercepted<'a> {
    /// The object that is written, or whose pods are.
    pub(crate) owner: &'a Object,
    /// When it is written.
    pub(crate) then: Moment,
    /// How the writer takes a refusal.
    pub(crate) reading: Reading,
    /// How sure it is that the write is asked about.
    pub(crate) confidence: Confidence,
    /// The write as admission sees it.
    pub(crate) request: Request<'a>,
    /// The tool's request; `None` for pods that a controller makes.
    delivered: Option<Delivered<'a>>,
}

/// Every write of the bundle that meets all the criteria.
pub(crate) fn by<'a>(view: &View<'a>, criteria: &[Criteria<'_>]) -> Vec<Intercepted<'a>> {
    let asked = |request: &Request<'_>| {
        let mut sure = criteria.iter().map(|one| one.see(view, request));
        sure.try_fold(Confidence::Proved, |least, one| Some(least.min(one?)))
    };
    let is_likely = |group: &str| criteria.iter().all(|one| one.may_see(group));
    let requests = view.deliveries().iter().filter_map(|delivered| {
        if !is_likely(delivered.object.id.group()) {
            return None;
        }
        let request = of_tool(view, *delivered);
        Some(Intercepted {
            owner: delivered.object,
            then: Moment::request(delivered.step, &delivered.object.id, Stored),
            reading: Reading::Once,
            confidence: asked(&request)?,
            request,
            delivered: Some(*delivered),
        })
    });
    let pods = view.pods().iter().filter(|pods| pods.run && !pods.is_bare()).flat_map(|pods| {
        let request = creation(pods, pods.step(view).unwrap_or(StepIndex(0)));
        let confidence = asked(&request);
        let moments = if confidence.is_some() { pods.creations(view) } else { Vec::new() };
        moments.into_iter().filter_map(move |(then, reading)| {
            let request = request.clone();
            Some(Intercepted {
                owner: pods.owner,
                then,
                reading,
                confidence: confidence?,
                request,
                delivered: None,
            })
        })
    });
    requests.chain(pods).collect()
}

/// The creation of a pod as admission sees it.
pub(crate) fn creation<'a>(pods: &Pods<'a>, at: StepIndex) -> Request<'a> {
    Request {
        id: ObjectId::new("", "Pod", Some(pods.namespace()), ""),
        version: "v1",
        resource: "pods".to_owned(),
        labels: pods.labels,
        operation: "CREATE",
        at,
    }
}

fn of_tool<'a>(view: &View<'a>, delivered: Delivered<'a>) -> Request<'a> {
    let object = delivered.object;
    Request {
        id: object.id.clone(),
        version: &object.version,
        resource: resource::of(view, object.id.group(), object.id.kind()),
        labels: object.root.at(&["metadata", "labels"]),
        at: delivered.step,
        operation: if answer::is_update(view, delivered) { "UPDATE" } else { "CREATE" },
    }
}

impl Intercepted<'_> {
    /// Whether a controller writes it.
    pub(crate) fn is_pods(&self) -> bool {
        self.delivered.is_none()
    }

    /// The write in words: "Deployment/default/web", "the pods of Deployment/default/web".
    pub(crate) fn what(&self) -> String {
        if self.is_pods() { format!("the pods of {}", self.owner.id) } else { self.owner.id.to_string() }
    }

    /// Where it is written.
    pub(crate) fn place(&self) -> Place {
        self.owner.place_of(&["kind"])
    }

    /// Who sees a refusal.
    pub(crate) fn actor(&self) -> Actor {
        if self.is_pods() { Actor::Controller } else { Actor::ApiServer }
    }

    /// What is seen of a refusal: kubectl's error, or the event of the workload.
    pub(crate) fn refusal(&self, view: &View<'_>, reason: &str, text: &str) -> String {
        match (self.delivered, self.owner.id.kind()) {
            (Some(delivered), _) => answer::refused(view, delivered, reason, text),
            (None, "StatefulSet") => {
                let name = self.owner.id.name();
                format!("Create Pod {name}-0 in StatefulSet {name} failed error: {text}")
            }
            (None, _) => format!("Error creating: {text}"),
        }
    }
}
