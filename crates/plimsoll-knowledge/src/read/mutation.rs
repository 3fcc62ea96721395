//! Whether something in the input changes pods on their way into the cluster.

use crate::view::View;
use plimsoll_model::{Node, Object};

const GROUP: &str = "admissionregistration.k8s.io";

/// Whether a webhook or policy of the input changes pods, so that what is stored is not what is written.
pub(crate) fn of_pods(view: &View<'_>) -> bool {
    let by_webhook = |configuration: &&Object| {
        configuration.root.list_at(&["webhooks"]).iter().any(|webhook| covers(webhook.list_at(&["rules"])))
    };
    let by_policy =
        |policy: &&Object| covers(policy.root.list_at(&["spec", "matchConstraints", "resourceRules"]));
    view.of_kind(GROUP, "MutatingWebhookConfiguration").iter().any(by_webhook)
        || view.of_kind(GROUP, "MutatingAdmissionPolicy").iter().any(by_policy)
}

fn covers(rules: &[Node]) -> bool {
    let is_pods = |one: &Node| matches!(one.text(), Some("pods" | "*" | "*/*" | "pods/*"));
    rules.iter().any(|rule| rule.list_at(&["resources"]).iter().any(is_pods))
}
