//! PLM-R025: what the input itself asks for is more than a quota of the input permits.

use crate::read::quantity::Quantity;
use crate::read::usage::Usage;
use crate::read::{quota, usage};
use crate::rule::{Found, Rule};
use crate::view::View;
use plimsoll_model::Milestone::Stored;
use plimsoll_model::{Actor, Class, Clause, Code, Moment, Node, Object, Place, Reading};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R025"),
    name: "pod-beyond-quota",
    class: Class::QuotaWindow,
    page: include_str!("pod_beyond_quota.md"),
    find,
};

/// A limit that an object goes beyond: its name in the quota, what one more asks for, and the limit.
struct Beyond<'a> {
    name: &'a str,
    asked: Quantity,
    limit: Quantity,
    place: Place,
}

fn find(view: &View<'_>, found: &mut Found) {
    for quota in quota::unscoped(view) {
        let limits: Vec<(&str, &Node)> = quota::hard(quota).collect();
        let mut totals: Vec<Quantity> = limits.iter().map(|(name, _)| usage::from_the_start(name)).collect();
        for object in view.in_namespace(quota.id.namespace().unwrap_or_default()) {
            let mut with = totals.clone();
            let beyond: Vec<Beyond<'_>> = limits
                .iter()
                .zip(&mut with)
                .filter_map(|((name, limit), total)| add(view, object, name, limit, total))
                .collect();
            if beyond.is_empty() {
                totals = with;
                continue;
            }
            state(view, quota, object, &beyond, found);
            if !is_counted_itself(&beyond) {
                // How many of its pods find room depends on what else is created meanwhile.
                break;
            }
        }
    }
}

/// Adds what an object uses to the total, and says whether that, or one of its pods alone, is too much.
fn add<'a>(
    view: &View<'_>,
    object: &Object,
    name: &'a str,
    node: &Node,
    total: &mut Quantity,
) -> Option<Beyond<'a>> {
    let limit = Quantity::of(node)?;
    let Usage { single, count } = usage::of(view, object, name)?;
    *total = total.plus(single.times(count));
    let is_beyond = total.exceeds(limit) || single.exceeds(limit);
    is_beyond.then_some(Beyond { name, asked: single, limit, place: node.place })
}

fn state(view: &View<'_>, quota: &Object, object: &Object, beyond: &[Beyond<'_>], found: &mut Found) {
    let Some(place) = beyond.first().map(|one| one.place) else { return };
    let mut sorted: Vec<&Beyond<'_>> = beyond.iter().collect();
    sorted.sort_by_key(|one| one.name);
    let list = |text: &dyn Fn(&Beyond<'_>) -> String| {
        sorted.iter().map(|one| text(one)).collect::<Vec<_>>().join(",")
    };
    let requested = list(&|one| format!("{}={}", one.name, one.asked));
    let used = list(&|one| format!("{}={{…}}", one.name));
    let limited = list(&|one| format!("{}={}", one.name, one.limit));
    let (resource, name, moments): (_, _, Vec<(Moment, Reading)>) = match view.pods_of(&object.id) {
        Some(pods) if !is_counted_itself(beyond) => {
            ("pods".to_owned(), pods.pod_name(), pods.creations(view))
        }
        _ => {
            let requests = view.requests(&object.id, Stored).map(|moment| (moment, Reading::Once)).collect();
            (usage::resource(object), object.id.name().to_owned(), requests)
        }
    };
    for (then, reading) in moments {
        RULE.requires(Clause(Vec::new()), then)
            .read(reading)
            .at(place)
            .says(format!("{} and what is sent before it ask for more than {} permits", object.id, quota.id))
            .answered(
                Actor::ApiServer,
                format!("counts {} against {}", object.id, quota.id),
                format!(
                    "{resource} \"{name}\" is forbidden: exceeded quota: {}, requested: {requested}, used: {used}, \
                     limited: {limited}",
                    quota.id.name()
                ),
            )
            .mended(format!("raise {} or ask for less: {limited} is not enough", quota.id))
            .push_window(vec![quota.id.at(Stored).into()], found);
    }
}

/// Whether it is the object that is counted, not its pods.
fn is_counted_itself(beyond: &[Beyond<'_>]) -> bool {
    beyond.iter().all(|one| !usage::is_of_pods(one.name))
}
