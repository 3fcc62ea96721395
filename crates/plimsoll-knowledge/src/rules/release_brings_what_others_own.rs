//! PLM-R057: a release brings an object that is there already and belongs to somebody else, and Helm refuses all of it.
//!
//! Helm v3.22.0 and v4.3.1 `pkg/action/validate.go` (`existingResourceConflict`, `checkOwnership`); seen with both on a
//! real server v1.36.4.

use super::object_delivered_twice::is_brought_before;
use crate::rule::{Found, Rule};
use crate::tools::helm::{self, Release, Version};
use crate::view::View;
use plimsoll_model::Milestone::Submitted;
use plimsoll_model::{
    Action, Actor, Class, Clause, Code, Delivery, Moment, Object, Operation, StepIndex, Tool, Unit,
};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R057"),
    name: "release-brings-what-others-own",
    class: Class::MixedOwnership,
    page: include_str!("release_brings_what_others_own.md"),
    find,
};

fn find(view: &View<'_>, found: &mut Found) {
    if view.scene.operation != Operation::Install {
        return;
    }
    for (index, step) in view.bundle.numbered_steps() {
        let Action::Deliver(unit) = &step.action else { continue };
        let delivery = &unit.delivery;
        let takes_over = delivery.flags.iter().any(|flag| flag.starts_with("--take-ownership"));
        if delivery.tool != Tool::Helm || takes_over || step.place.is_none() {
            continue;
        }
        let release = Release::of(unit, Operation::Install);
        for object in release.main.iter().flatten() {
            if let Some(cause) = owned(view, index, delivery, object) {
                state(index, delivery, object, &cause, found);
            }
        }
    }
}

/// Why an object that an earlier step is sure to have brought cannot become part of the release.
fn owned(view: &View<'_>, index: StepIndex, delivery: &Delivery, object: &Object) -> Option<String> {
    if !is_brought_before(view, index, &object.id) {
        return None;
    }
    let units = view.bundle.numbered_steps().filter(|(earlier, _)| *earlier < index);
    let (unit, before) = units
        .filter_map(|(_, step)| match &step.action {
            Action::Deliver(unit) => Some(unit),
            _ => None,
        })
        .filter_map(|unit| Some((unit, unit.objects.iter().find(|before| before.id == object.id)?)))
        .last()?;
    let faults = faults(delivery, unit, before)?;
    (!faults.is_empty()).then(|| format!("invalid ownership metadata; {}", faults.join("; ")))
}

/// What Helm finds wrong with the label and the annotations of an object; nothing where they are not known.
fn faults(delivery: &Delivery, unit: &Unit, before: &Object) -> Option<Vec<String>> {
    let (release, namespace) = (delivery.release.as_deref()?, delivery.namespace.as_deref()?);
    let other = match unit.delivery.tool {
        Tool::Helm if !helm::is_main(before) => return None,
        Tool::Helm => Some([
            Some("Helm"),
            Some(unit.delivery.release.as_deref()?),
            Some(unit.delivery.namespace.as_deref()?),
        ]),
        Tool::Kubectl => None,
    };
    let written =
        |field: &str, key: &str| before.root.at(&["metadata", field]).and_then(|map| map.text_at(&[key]));
    let current = other.unwrap_or_else(|| {
        [
            written("labels", "app.kubernetes.io/managed-by"),
            written("annotations", "meta.helm.sh/release-name"),
            written("annotations", "meta.helm.sh/release-namespace"),
        ]
    });
    let wanted = [
        ("label", "app.kubernetes.io/managed-by", "Helm"),
        ("annotation", "meta.helm.sh/release-name", release),
        ("annotation", "meta.helm.sh/release-namespace", namespace),
    ];
    let fault = |((what, key, wanted), current): ((&str, &str, &str), Option<&str>)| match current {
        None => Some(format!("{what} validation error: missing key \"{key}\": must be set to \"{wanted}\"")),
        Some(current) if current != wanted => Some(format!(
            "{what} validation error: key \"{key}\" must equal \"{wanted}\": current value is \"{current}\""
        )),
        Some(_) => None,
    };
    Some(wanted.into_iter().zip(current).filter_map(fault).collect())
}

fn state(index: StepIndex, delivery: &Delivery, object: &Object, cause: &str, found: &mut Found) {
    let id = &object.id;
    let prefix = if delivery.verb == "install" { "INSTALLATION FAILED: " } else { "" };
    let unable = if helm::version(delivery) == Version::Four { "unable" } else { "Unable" };
    let namespace = id.namespace().unwrap_or_default();
    let text = format!(
        "Error: {prefix}{unable} to continue with install: {} \"{}\" in namespace \"{namespace}\" exists and cannot \
         be imported into the current release: {cause}",
        id.kind(),
        id.name(),
    );
    let release = delivery.release.as_deref().unwrap_or_default();
    RULE.requires(Clause(Vec::new()), Moment::step(index, Submitted))
        .at(object.place_of(&["metadata", "name"]))
        .says(format!(
            "release {release} brings {id}, which an earlier command has brought: it is not its own"
        ))
        .mended("leave one of the two out; or let the release take it over, with `--take-ownership`")
        .answered(Actor::Tool, "looks whose objects are there already", text)
        .push(found);
}
