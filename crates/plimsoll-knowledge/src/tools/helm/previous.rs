//! The revision that a release had before.

use plimsoll_model::{Action, Bundle, Tool, Unit};

/// What the deployment before had as this release: by its name and namespace, or as its only one. What a script rolls
/// back, it has delivered itself.
pub(super) fn of<'a>(bundle: &'a Bundle, unit: &Unit) -> Option<&'a Unit> {
    let name = |unit: &Unit| (unit.delivery.release.clone(), unit.delivery.namespace.clone());
    if unit.delivery.verb == "rollback" {
        let earlier = releases(bundle).take_while(|one| !std::ptr::eq(*one, unit));
        return earlier.filter(|one| name(one) == name(unit)).last();
    }
    let before: Vec<&Unit> = releases(bundle.before.as_deref()?).collect();
    let same = before.iter().find(|one| name(one) == name(unit));
    let is_sole = || releases(bundle).count() == 1;
    match before.as_slice() {
        [sole] if is_sole() => Some(*sole),
        _ => same.copied(),
    }
}

fn releases(bundle: &Bundle) -> impl Iterator<Item = &Unit> {
    bundle.steps.iter().filter_map(|step| match &step.action {
        Action::Deliver(unit) if unit.delivery.tool == Tool::Helm => Some(unit),
        _ => None,
    })
}
