//! PLM-R029: a pod may run before the NetworkPolicy that selects it is stored.

use crate::clocks;
use crate::read::selector;
use crate::rule::{Found, Rule};
use crate::view::View;
use plimsoll_model::Milestone::Stored;
use plimsoll_model::{Actor, Class, Code, Confidence, Node};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R029"),
    name: "pod-before-network-policy",
    class: Class::PolicyWindow,
    page: include_str!("pod_before_network_policy.md"),
    find,
};

fn find(view: &View<'_>, found: &mut Found) {
    for policy in view.of_kind("networking.k8s.io", "NetworkPolicy") {
        let here = view.pods_in(policy.id.namespace().unwrap_or_default()).into_iter();
        // Policies do not apply to pods on the host's network.
        for pods in here.filter(|pods| pods.run && pods.spec.bool_at(&["hostNetwork"]) != Some(true)) {
            let label = |key: &str| Some(pods.labels?.get(key)?.text()?.to_owned());
            if !selector::selects(policy.root.at(&["spec", "podSelector"]), label) {
                continue;
            }
            RULE.requires(policy.id.at(Stored), pods.start())
                // The network plugin watches policies and applies them to pods that run already.
                .read(clocks::WATCHED)
                // Whether anybody would connect in that moment is not known.
                .sure(Confidence::Heuristic)
                .at(policy
                    .root
                    .at(&["spec", "podSelector"])
                    .map_or_else(|| policy.place(), |node: &Node| node.place))
                .says(format!("{} is protected by {}", pods.owner.id, policy.id))
                .answered(Actor::Container, "accepts and opens connections without a policy", "")
                .push(found);
        }
    }
}
