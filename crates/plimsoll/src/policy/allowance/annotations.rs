//! The annotation `plimsoll.dev/allow` of an object or of the pods it makes; one allowance a line.

use super::{Allowance, Covers, Remark, SaidAt, Weight, grammar};
use plimsoll_model::{Action, Bundle, Object};

const KEY: &str = "plimsoll.dev/allow";

/// Where annotations stand.
const PATHS: [&[&str]; 3] = [
    &["metadata", "annotations", KEY],
    &["spec", "template", "metadata", "annotations", KEY],
    &["spec", "jobTemplate", "spec", "template", "metadata", "annotations", KEY],
];

/// What the objects of a bundle allow.
pub(super) fn read(bundle: &Bundle) -> Vec<Result<Allowance, Remark>> {
    let units = bundle.steps.iter().filter_map(|step| match &step.action {
        Action::Deliver(unit) => Some(unit),
        _ => None,
    });
    let objects = units.flat_map(|unit| {
        let otherwise = unit.otherwise.iter().flat_map(|otherwise| &otherwise.objects);
        unit.objects.iter().chain(otherwise.filter(|object| object.premise.is_some()))
    });
    objects.flat_map(of).collect()
}

fn of(object: &Object) -> Vec<Result<Allowance, Remark>> {
    let mut all = Vec::new();
    for node in PATHS.iter().filter_map(|path| object.root.at(path)) {
        let said = SaidAt::Input(node.place);
        let lines = node.text().unwrap_or_default().lines().filter(|line| !line.trim().is_empty());
        for line in lines {
            let read = grammar::read(line).map(|line| Allowance {
                rule: line.rule,
                reason: line.reason,
                until: line.until,
                said: said.clone(),
                covers: Covers::Object(object.id.clone()),
            });
            all.push(read.map_err(|cause| Remark { said: said.clone(), cause, weight: Weight::Wrong }));
        }
    }
    all
}
