//! PLM-R055: a chart brings the Namespace of its own release, which Helm needs before it sends anything.
//!
//! Helm v4.3.1 and v3.22.0 `pkg/action/install.go` (`RunWithContext`: the namespace, then the record, then hooks and
//! objects); each outcome seen with both on a real server v1.36.4.

use crate::always::is_always_there;
use crate::read::answer;
use crate::rule::{Found, Rule, Statement};
use crate::tools::helm::{self, Release, Version};
use crate::view::{Delivered, View};
use plimsoll_model::Milestone::{Stored, Submitted};
use plimsoll_model::{
    Action, Actor, Class, Clause, Code, Confidence, Delivery, Moment, Object, ObjectId, Operation, Reading,
    StepIndex, Tool,
};

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R055"),
    name: "release-brings-its-namespace",
    class: Class::NamespaceMissing,
    page: include_str!("release_brings_its_namespace.md"),
    find,
};

fn find(view: &View<'_>, found: &mut Found) {
    for (index, step) in view.bundle.numbered_steps() {
        let Action::Deliver(unit) = &step.action else { continue };
        let Some(namespace) = unit.delivery.namespace.as_deref().filter(|_| unit.delivery.tool == Tool::Helm)
        else {
            continue;
        };
        let own = ObjectId::new("", "Namespace", None, namespace);
        let is_sole = view.declarations(&own).count() == 1 && !is_always_there(&own);
        if view.scene.operation == Operation::Install && is_sole {
            let release = Release::of(unit, Operation::Install);
            if let Some(object) = release.objects().find(|object| object.id == own) {
                state(view, (index, &unit.delivery), &release, object, found);
            }
        }
    }
}

fn state(
    view: &View<'_>,
    (index, delivery): (StepIndex, &Delivery),
    release: &Release<'_>,
    object: &Object,
    found: &mut Found,
) {
    let name = object.id.name();
    if release.made_namespace().is_none() {
        let told = format!("the release keeps its record in {}, which is sent only afterwards", object.id);
        let text =
            format!("Error: INSTALLATION FAILED: create: failed to create: namespaces \"{name}\" not found");
        need(object, Moment::step(index, Submitted), told)
            .answered(Actor::Tool, format!("writes its record into namespace {name}"), text)
            .push(found);
    } else if !helm::is_main(object) {
        let told = format!(
            "{} is made for the release, and then deleted with its record by its own hook",
            object.id
        );
        need(object, Moment::request(index, &object.id, Submitted), told)
            .read(Reading::OnceSilently)
            .class(Class::HookDeletePolicy)
            .answered(Actor::Tool, format!("deletes namespace {name} to make it anew"), "")
            .push(found);
    } else if helm::version(delivery) == Version::Three {
        let told = format!("{} is made for the release and sent once more as part of it", object.id);
        let text = format!("namespaces \"{name}\" already exists");
        let text = answer::refused(view, Delivered { step: index, object }, "AlreadyExists", &text);
        need(object, Moment::request(index, &object.id, Stored), told)
            // Helm 4 takes it as it is.
            .sure(if delivery.version.is_some() { Confidence::Proved } else { Confidence::Assumed })
            .answered(Actor::ApiServer, "refuses to create it again", text)
            .push(found);
    }
}

fn need(object: &Object, then: Moment, told: String) -> Statement {
    RULE.requires(Clause(Vec::new()), then)
        .told(object.id.at(Stored))
        .at(object.place_of(&["metadata", "name"]))
        .says(told)
        .mended(format!("take {} out of the chart and install with `--create-namespace`", object.id))
}
