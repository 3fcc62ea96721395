//! PLM-R046: a pod or claim asks for less or more than a LimitRange of the input permits.

use crate::read::pods::Pods;
use crate::read::{amounts, bounds};
use crate::rule::{Found, Rule};
use crate::view::View;
use plimsoll_model::Milestone::Stored;
use plimsoll_model::{Actor, Class, Clause, Code, Moment, Object, Place, Reading};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R046"),
    name: "pod-outside-limit-range",
    class: Class::QuotaWindow,
    page: include_str!("pod_outside_limit_range.md"),
    find,
};

fn find(view: &View<'_>, found: &mut Found) {
    let is_judged =
        |pods: &&Pods<'_>| pods.ever_run() && pods.owner.is_whole() && !amounts::are_of_pod(pods.spec);
    for pods in view.pods().iter().filter(is_judged) {
        // What is filled in depends on which of several comes first.
        let [range] = amounts::ranges(view, pods.namespace())[..] else { continue };
        let broken = bounds::broken_by_pod(range, pods);
        if let Some((_, place)) = broken.first() {
            let refused = (*place, format!("pods \"{}\"", pods.pod_name()));
            state(range, pods.owner, (pods.creations(view), refused), &broken, found);
        }
    }
    for claim in view.of_kind("", "PersistentVolumeClaim").into_iter().filter(|claim| claim.is_whole()) {
        for range in amounts::ranges(view, claim.id.namespace().unwrap_or_default()) {
            let broken = bounds::broken_by_claim(range, claim);
            if let Some((_, place)) = broken.first() {
                let requests =
                    view.requests(&claim.id, Stored).map(|moment| (moment, Reading::Once)).collect();
                let refused = (*place, format!("persistentvolumeclaims \"{}\"", claim.id.name()));
                state(range, claim, (requests, refused), &broken, found);
            }
        }
    }
}

type Refused = (Vec<(Moment, Reading)>, (Place, String));

/// A LimitRange looks at new pods only, so nothing is refused before it is stored.
fn state(
    range: &Object,
    owner: &Object,
    (moments, (place, refused)): Refused,
    broken: &[(String, Place)],
    found: &mut Found,
) {
    let texts: Vec<&str> = broken.iter().map(|(text, _)| text.as_str()).collect();
    let listed = match texts[..] {
        [one] => one.to_owned(),
        _ => format!("[{}]", texts.join(", ")),
    };
    for (then, reading) in moments {
        RULE.requires(Clause(Vec::new()), then)
            .read(reading)
            .at(place)
            .says(format!("{} asks for what {} does not permit", owner.id, range.id))
            .answered(
                Actor::ApiServer,
                format!("checks {} against {}", owner.id, range.id),
                format!("{refused} is forbidden: {listed}"),
            )
            .mended(format!("change the requests and limits, or {}", range.id))
            .push_window(vec![range.id.at(Stored).into()], found);
    }
}
