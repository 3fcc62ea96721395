//! PLM-R074: the controller of Sealed Secrets may start before a sealing key that is brought for it, and never sees it.
//!
//! sealed-secrets v0.40.0 `pkg/controller/main.go` (`initKeyRegistry`): keys are listed once, unless the controller runs
//! with `--watch-for-secrets`; without any it makes one of its own.

use crate::producers::program;
use crate::read::pods::Pods;
use crate::read::restarts;
use crate::rule::{Found, Rule};
use crate::view::View;
use plimsoll_model::Milestone::Stored;
use plimsoll_model::{Actor, Class, Code, Node, Object, Reading};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R074"),
    name: "sealing-key-after-controller",
    class: Class::SecretNotYetProduced,
    page: include_str!("sealing_key_after_controller.md"),
    find,
};

const LABEL: &str = "sealedsecrets.bitnami.com/sealed-secrets-key";

fn find(view: &View<'_>, found: &mut Found) {
    for pods in view.pods().iter().filter(|pods| pods.run && looks_once(pods)) {
        let keys =
            view.of_kind_in(pods.namespace(), "", "Secret").into_iter().filter(|secret| is_key(secret));
        for key in keys.filter(|key| !restarts::come_after(view, view.step_of(&key.id), &pods.owner.id)) {
            RULE.requires(key.id.at(Stored), pods.start())
                .read(Reading::OnceSilently)
                .at(key.place_of(&["metadata", "name"]))
                .says(format!("{} unseals with {}", pods.owner.id, key.id))
                .answered(Actor::Container, "lists its keys, and makes one where there is none", "")
                .mended("send the key first; or run the controller with `--watch-for-secrets`")
                .push(found);
        }
    }
}

/// Whether a controller reads its keys when it starts, and never again.
fn looks_once(pods: &Pods<'_>) -> bool {
    pods.containers().iter().any(|container| {
        let words = container.list_at(&["command"]).iter().chain(container.list_at(&["args"]));
        let watches = |word: &str| word == "--watch-for-secrets" || word == "--watch-for-secrets=true";
        container.text_at(&["image"]).map(program) == Some("sealed-secrets-controller")
            && !words.filter_map(Node::text).any(watches)
    })
}

fn is_key(secret: &Object) -> bool {
    let labels = secret.root.at(&["metadata", "labels"]);
    labels.and_then(|labels| labels.text_at(&[LABEL])) == Some("active")
}
