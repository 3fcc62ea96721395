//! PLM-R014: a pod may be made, or pull its images, before the pull secret it counts on is there.
//!
//! `imagePullSecrets` of pods are rows of the table. Those of a ServiceAccount are copied into a pod when it is
//! created, and only if the pod lists none: kubernetes v1.36.4 `plugin/pkg/admission/serviceaccount/admission.go`.

use crate::clocks;
use crate::read::pods::Pods;
use crate::rule::{Found, Rule};
use crate::view::View;
use plimsoll_model::Milestone::Stored;
use plimsoll_model::{Actor, Class, Clause, Code, Confidence, Node, Object, Place, Reading};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R014"),
    name: "pod-before-pull-secret",
    class: Class::SecretNotYetProduced,
    page: include_str!("pod_before_pull_secret.md"),
    find,
};

fn find(view: &View<'_>, found: &mut Found) {
    for pods in view.pods().iter().filter(|pods| pods.run) {
        let name = pods.spec.text_at(&["serviceAccountName"]).unwrap_or("default");
        let Some(account) = view.object(&pods.neighbour("ServiceAccount", name)) else { continue };
        let secrets = account.root.list_at(&["imagePullSecrets"]);
        if secrets.is_empty() || !pods.spec.list_at(&["imagePullSecrets"]).is_empty() {
            continue;
        }
        for secret in secrets {
            pull(pods, account, secret, found);
        }
        if name == "default" {
            copy(view, pods, account, found);
        }
    }
}

/// The pod has the secret's name from its account; the kubelet reads it at every pull.
fn pull(pods: &Pods<'_>, account: &Object, secret: &Node, found: &mut Found) {
    let Some(name) = secret.text_at(&["name"]) else { return };
    let target = pods.neighbour("Secret", name);
    RULE.requires(target.at(Stored), pods.start())
        .read(clocks::IMAGE_PULL)
        .sure(Confidence::Assumed)
        .at(place(secret))
        .says(format!("{} pulls its images with {target}, named by {}", pods.owner.id, account.id))
        .answered(
            Actor::Kubelet,
            format!("pulls an image with {target}"),
            format!("Unable to retrieve some image pull secrets ({name}); attempting to pull the image may not succeed."),
        )
        .push(found);
}

/// The account `default` is there with its namespace, so pods can be made before the input adds a secret to it. Such
/// pods never get it: seen on a real cluster.
fn copy(view: &View<'_>, pods: &Pods<'_>, account: &Object, found: &mut Found) {
    let delivered = Clause(view.requests(&account.id, Stored).collect());
    for (then, _) in pods.creations(view) {
        RULE.requires(delivered.clone(), then)
            .read(Reading::OnceForGood)
            .sure(Confidence::Assumed)
            .at(account.root.list_at(&["imagePullSecrets"]).first().map_or(account.place(), place))
            .says(format!("{} copies the pull secrets of {} into its pods", pods.owner.id, account.id))
            .answered(
                Actor::ApiServer,
                format!("copies the pull secrets of {} into a new pod", account.id),
                "",
            )
            .push(found);
    }
}

/// Where a reference to a secret names it.
fn place(secret: &Node) -> Place {
    secret.get("name").map_or(secret.place, |name| name.place)
}
