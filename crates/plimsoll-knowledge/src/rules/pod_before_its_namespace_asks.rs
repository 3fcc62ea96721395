//! PLM-R077: a pod may be created before a command asks on its Namespace for the sidecar that it should get.

use crate::injectors;
use crate::read::pods::Pods;
use crate::read::restarts;
use crate::read::webhook::{self, Webhook};
use crate::rule::{Found, Rule};
use crate::view::View;
use plimsoll_model::Milestone::{Complete, Stored};
use plimsoll_model::{Actor, Class, Code, Confidence, Mark, Moment, Reading, StepIndex, Written};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R077"),
    name: "pod-before-its-namespace-asks",
    class: Class::PolicyWindow,
    page: include_str!("pod_before_its_namespace_asks.md"),
    find,
};

fn find(view: &View<'_>, found: &mut Found) {
    let webhooks = if view.marks().is_empty() { Vec::new() } else { webhook::all(view) };
    for (step, mark) in view.marks() {
        let pods = view.pods_in(mark.object.name()).into_iter().filter(|pods| pods.run);
        let late = pods.filter(|pods| mark.object == pods.home() && pods.step(view) < Some(*step));
        for pods in late.filter(|pods| !restarts::come_after(view, Some(*step), &pods.owner.id)) {
            if let Some(sure) = meant(view, &webhooks, (*step, mark), pods) {
                state(view, (*step, mark), pods, sure, found);
            }
        }
    }
}

/// How sure it is that the pods should be changed because of a mark: a webhook of the input selects by it, or it is known.
fn meant(
    view: &View<'_>,
    webhooks: &[Webhook<'_>],
    (step, mark): (StepIndex, &Mark),
    pods: &Pods<'_>,
) -> Option<Confidence> {
    let selecting = webhooks.iter().filter(|webhook| webhook.is_mutating() && webhook.asks_for(mark));
    let seen = selecting.filter_map(|webhook| webhook.begins_to_see(view, pods, step)).max();
    seen.or_else(|| injectors::is_asking(mark, pods).then_some(Confidence::Assumed))
}

fn state(
    view: &View<'_>,
    (step, mark): (StepIndex, &Mark),
    pods: &Pods<'_>,
    sure: Confidence,
    found: &mut Found,
) {
    let Mark { object, key, written, .. } = mark;
    let before = match written {
        Written::As(value) => format!("lacks {key}={value}"),
        Written::Somehow => format!("lacks its {key}"),
        Written::Away => format!("still has {key}"),
    };
    for (then, _) in pods.creations(view) {
        RULE.requires(Moment::step(step, Complete), then)
            .told(object.at(Stored))
            .read(Reading::OnceSilently)
            .sure(sure)
            .at(pods.owner.place_of(&["kind"]))
            .says(format!("{} makes pods that {object} asks to have changed", pods.owner.id))
            .answered(Actor::ApiServer, format!("admits them as they are: {object} {before}"), "")
            .mended(format!("declare {key} in {object}, or run the command first"))
            .push(found);
    }
}
