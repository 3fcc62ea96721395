//! PLM-R052: an object of a chart is a hook at an event that Helm does not know, and is never created.
//!
//! Helm v4.3.1 `pkg/release/v1/util/manifest_sorter.go` (`sort`), v3.22.0 `pkg/releaseutil/manifest_sorter.go`; seen with
//! both: exit code 0, one line that says so, and no object.

use crate::rule::{Found, Rule};
use crate::tools::helm::{self, Release, Version};
use crate::view::View;
use plimsoll_model::Milestone::Checked;
use plimsoll_model::{Action, Actor, Class, Clause, Code, Moment, Object, Reading, StepIndex, Tool};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R052"),
    name: "hook-at-unknown-event",
    class: Class::HookOrder,
    page: include_str!("hook_at_unknown_event.md"),
    find,
};

fn find(view: &View<'_>, found: &mut Found) {
    for (index, step) in view.bundle.numbered_steps() {
        let Action::Deliver(unit) = &step.action else { continue };
        if unit.delivery.tool != Tool::Helm {
            continue;
        }
        let release = Release::of(unit, view.scene.operation);
        // Definitions often stand in `crds/` as well.
        for object in release.left_out.iter().filter(|object| is_alone(view, object)) {
            state(index, object, helm::version(&unit.delivery), found);
        }
    }
}

/// Whether no other step or folder has the object as well.
fn is_alone(view: &View<'_>, object: &Object) -> bool {
    view.bundle.deliveries().filter(|(_, other)| other.id == object.id).count() == 1
}

fn state(step: StepIndex, object: &Object, version: Version, found: &mut Found) {
    let path = ["metadata", "annotations", "helm.sh/hook"];
    let events = object.text_at(&path).unwrap_or_default();
    let unknown = helm::unknown_events(events);
    // Helm 2 had a second event for tests; without it there is one test less.
    if unknown.iter().all(|event| event == "test-failure") {
        return;
    }
    let said = match version {
        Version::Three => format!("info: skipping unknown hook: \"{events}\""),
        Version::Four => format!("level=INFO msg=\"skipping unknown hooks\" hookTypes={events}"),
    };
    RULE.requires(Clause(Vec::new()), Moment::request(step, &object.id, Checked))
        .read(Reading::OnceSilently)
        .at(object.place_of(&path))
        .says(format!("{} is never created: Helm knows no event `{}`", object.id, unknown.join("`, `")))
        .answered(Actor::Tool, format!("leaves {} out and goes on", object.id), said)
        .mended(remedy(&unknown))
        .push(found);
}

fn remedy(unknown: &[String]) -> String {
    let is = |word: &str| unknown.iter().any(|event| event == word);
    if is("crd-install") {
        return "put the definition into the chart's `crds/`, which took the place of this event in Helm 3"
            .to_owned();
    }
    let known: Vec<&str> = helm::Event::ALL.into_iter().map(helm::Event::word).collect();
    format!("write one of the events that Helm knows: {}", known.join(", "))
}
