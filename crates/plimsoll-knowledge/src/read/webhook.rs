//! Admission webhooks of the input, and the writes they are asked about.

use super::admission::Criteria;
use super::intercepted::{self, Intercepted};
use super::pods::Pods;
use super::{backend, service_port};
use crate::view::View;
use plimsoll_model::{Confidence, Mark, Node, Object, ObjectId, StepIndex};
use std::collections::BTreeSet;

/// One webhook of a configuration.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Webhook<'a> {
    pub(crate) configuration: &'a Object,
    node: &'a Node,
}

/// Every admission webhook of the bundle.
pub(crate) fn all<'a>(view: &View<'a>) -> Vec<Webhook<'a>> {
    let kinds = ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"];
    let configurations =
        kinds.into_iter().flat_map(|kind| view.of_kind("admissionregistration.k8s.io", kind));
    configurations
        .flat_map(|configuration| {
            let webhooks = configuration.root.list_at(&["webhooks"]).iter();
            webhooks.map(move |node| Webhook { configuration, node })
        })
        .collect()
}

/// Every webhook that refuses what it cannot be asked about, with the objects without which it cannot be asked. What
/// is called by URL stands outside the input.
pub(crate) fn closed<'a>(view: &View<'a>) -> Vec<(Webhook<'a>, BTreeSet<ObjectId>)> {
    let closed = all(view).into_iter().filter(Webhook::fails_closed);
    closed.filter_map(|webhook| Some((webhook, backend::needs(view, &webhook.service()?)))).collect()
}

impl<'a> Webhook<'a> {
    /// The webhook's name.
    pub(crate) fn name(&self) -> &'a str {
        self.node.text_at(&["name"]).unwrap_or_default()
    }

    /// Whether a webhook of the same configuration is asked about a group.
    pub(crate) fn is_beside(&self, group: &str) -> bool {
        let mut all = self.configuration.root.list_at(&["webhooks"]).iter();
        all.any(|node| Self { node, ..*self }.criteria().names_group(group))
    }

    /// Whether it may change objects.
    pub(crate) fn is_mutating(&self) -> bool {
        self.configuration.id.kind() == "MutatingWebhookConfiguration"
    }

    /// Whether a write is refused while the webhook cannot be asked; the default of v1.
    pub(crate) fn fails_closed(&self) -> bool {
        self.node.text_at(&["failurePolicy"]) != Some("Ignore")
    }

    /// The Service it is called by; `None` if it is called by URL.
    pub(crate) fn service(&self) -> Option<ObjectId> {
        backend::service(self.node.get("clientConfig")?)
    }

    /// Whether a Service of the input lacks the port at which the webhook is called.
    pub(crate) fn lacks_port(&self, view: &View<'_>) -> bool {
        let Some(service) = self.service().and_then(|id| view.object(&id)) else { return false };
        !service_port::has(service, self.port())
    }

    /// The writes it is asked about.
    pub(crate) fn intercepted(&self, view: &View<'a>) -> Vec<Intercepted<'a>> {
        intercepted::by(view, &[self.criteria()])
    }

    /// Whether it selects namespaces by what a command writes on one.
    pub(crate) fn asks_for(&self, mark: &Mark) -> bool {
        mark.field == "labels" && self.criteria().names_label(&mark.key)
    }

    /// How sure it is that it is asked about pods only because of what a step writes on their Namespace after they came.
    pub(crate) fn begins_to_see(
        &self,
        view: &View<'_>,
        pods: &Pods<'_>,
        step: StepIndex,
    ) -> Option<Confidence> {
        let sees = |at| self.criteria().see(view, &intercepted::creation(pods, at));
        let before = sees(step);
        sees(StepIndex(step.0 + 1)).filter(|_| before.is_none())
    }

    /// Its rules and selectors.
    pub(crate) fn criteria(&self) -> Criteria<'a> {
        Criteria {
            node: Some(self.node),
            rules: "rules",
            conditions: self.node.list_at(&["matchConditions"]),
        }
    }

    /// What the API server says while the webhook cannot be asked. With a cluster address in place of endpoints
    /// (`--enable-aggregator-routing=false`) the second reads `dial tcp …: connect: connection refused`.
    pub(crate) fn failure(&self, view: &View<'_>, then: &Intercepted<'_>) -> String {
        let service = self.service();
        let name = service.as_ref().map_or("", ObjectId::name);
        let cause = if self.lacks_port(view) {
            format!("no service port {} found for service \"{name}\"", self.port())
        } else if service.as_ref().is_some_and(|service| view.is_sent_before(service, &then.owner.id)) {
            format!("no endpoints available for service \"{name}\"")
        } else {
            format!("service \"{name}\" not found")
        };
        self.failed(&cause)
    }

    /// The API server's words around the cause of a failed call.
    pub(crate) fn failed(&self, cause: &str) -> String {
        let timeout = self.node.int_at(&["timeoutSeconds"]).unwrap_or(10);
        let url = self.node.get("clientConfig").map_or_else(String::new, backend::url);
        format!(
            "Internal error occurred: failed calling webhook \"{}\": failed to call webhook: Post \
             \"{url}?timeout={timeout}s\": {cause}",
            self.name()
        )
    }

    fn port(&self) -> i64 {
        self.node.int_at(&["clientConfig", "service", "port"]).unwrap_or(443)
    }
}
