//! The revision that a release had before.

use plimsoll_model::{Action, Bundle, Tool, Unit};

/// What the deployment before had as this release: by its name and namespace, or as its only one.
pub(super) fn of<'a>(bundle: &'a Bundle, unit: &Unit) -> Option<&'a Unit> {
    let before: Vec<&Unit> = releases(bundle.before.as_deref()?).collect();
    let name = |unit: &Unit| (unit.delivery.release.clone(), unit.delivery.namespace.clone());
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
