//! The objects of a chart as Helm sorts them: definitions, hooks before, the release itself, hooks after.

use super::hook::{Deleted, Event, Part, around, part};
use super::settings::Settings;
use super::sorting::by_kind;
use plimsoll_model::{Arranged, Object, ObjectId, Operation, Unit};

/// What one command sends, in its order.
#[derive(Debug)]
pub(crate) struct Release<'a> {
    pub(crate) settings: Settings,
    /// The definitions in `crds/`, in the order of the files.
    pub(crate) definitions: Vec<&'a Object>,
    pub(crate) before: Vec<&'a Object>,
    /// The objects of the release, kind by kind.
    pub(crate) main: Vec<Vec<&'a Object>>,
    pub(crate) after: Vec<&'a Object>,
    /// What would be a hook if Helm knew its event.
    pub(crate) left_out: Vec<&'a Object>,
    operation: Operation,
    namespace: Option<ObjectId>,
}

impl<'a> Release<'a> {
    pub(crate) fn of(unit: &'a Unit, operation: Operation) -> Self {
        let settings = Settings::of(&unit.delivery);
        let operation = unit.delivery.operation(operation);
        let (definitions, templates) = split(unit);
        let mut main = Vec::new();
        let mut hooks = Vec::new();
        let mut left_out = Vec::new();
        for object in templates {
            match part(object) {
                Part::Main => main.push(object),
                Part::Hook(_) if settings.runs_hooks => hooks.push(object),
                Part::LeftOut if settings.runs_hooks => left_out.push(object),
                Part::Hook(_) | Part::LeftOut => {}
            }
        }
        // Hooks are sorted when the chart is rendered, whatever is done with the release afterwards.
        let hooks = by_kind(hooks, settings.version, Operation::Install).concat();
        let [before, mut after] = around(operation).map(|event| at(event, &hooks));
        // A hook of both events is made anew the second time; what it is good for, it is from the first time on.
        after.retain(|object| !before.iter().any(|earlier| earlier.id == object.id));
        let is_sent = settings.sends_definitions && operation == Operation::Install;
        let mut main = by_kind(main, settings.version, operation);
        if operation.is_change() {
            // An upgrade goes through the release object by object.
            main = main.into_iter().flatten().map(|object| vec![object]).collect();
        }
        Self {
            settings,
            definitions: if is_sent { definitions.iter().collect() } else { Vec::new() },
            before,
            main,
            after,
            left_out,
            operation,
            namespace: unit
                .delivery
                .namespace
                .as_deref()
                .map(|name| ObjectId::new("", "Namespace", None, name)),
        }
    }

    /// The namespace of the release, if the command sees to it that it is there.
    pub(crate) fn made_namespace(&self) -> Option<&ObjectId> {
        let is_made = self.settings.creates_namespace && self.operation == Operation::Install;
        self.namespace.as_ref().filter(|_| is_made)
    }

    /// Whether the command deletes a hook that an earlier one has left, before it makes it again.
    pub(crate) fn makes_anew(&self, hook: &Object) -> bool {
        self.operation.is_change() && is_deleted(hook, Deleted::BeforeCreation)
    }

    /// The hooks around the release.
    pub(crate) fn hooks(&self) -> impl Iterator<Item = &'a Object> {
        self.before.iter().chain(&self.after).copied()
    }

    /// Every object that the command creates or updates, in its order.
    pub(crate) fn objects(&self) -> impl Iterator<Item = &'a Object> {
        let begin = self.definitions.iter().chain(&self.before);
        begin.chain(self.main.iter().flatten()).chain(&self.after).copied()
    }
}

/// Whether a hook goes again as soon as all hooks of its event have succeeded.
pub(crate) fn is_brief(object: &Object) -> bool {
    is_deleted(object, Deleted::OnceSucceeded)
}

/// Whether a hook is deleted at a certain time. Helm passes over definitions, and does not look at
/// `helm.sh/resource-policy`.
fn is_deleted(object: &Object, when: Deleted) -> bool {
    let is_spared = object.id.kind() == "CustomResourceDefinition";
    matches!(part(object), Part::Hook(hook) if !is_spared && hook.deleted.contains(&when))
}

/// Whether a kind is defined in `crds/`.
pub(super) fn defines(unit: &Unit, group: &str, kind: &str) -> bool {
    let (definitions, _) = split(unit);
    definitions.iter().any(|definition| {
        let text = |path: &[&str]| definition.text_at(path).unwrap_or_default();
        text(&["spec", "group"]) == group && text(&["spec", "names", "kind"]) == kind
    })
}

/// The definitions in `crds/`, and what the templates give.
fn split(unit: &Unit) -> (&[Object], &[Object]) {
    let definitions = match unit.delivery.arranged {
        Arranged::AsChart { definitions } => definitions,
        _ => 0,
    };
    unit.objects.split_at_checked(definitions).unwrap_or((&[], &unit.objects))
}

/// The hooks of an event, in the order of weights, then names; kinds only part those of one name.
fn at<'a>(event: Event, hooks: &[&'a Object]) -> Vec<&'a Object> {
    let meant = hooks.iter().filter_map(|object| match part(object) {
        Part::Hook(hook) if hook.events.contains(&event) => Some((hook.weight, object.id.name(), *object)),
        _ => None,
    });
    let mut meant: Vec<_> = meant.collect();
    meant.sort_by_key(|(weight, name, _)| (*weight, *name));
    meant.into_iter().map(|(_, _, object)| object).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;
    use plimsoll_model::{Action, Tool};
    use serde_json::{Value as Json, json};

    fn object(kind: &str, name: &str, annotations: &Json) -> Json {
        json!({"apiVersion": "v1", "kind": kind, "metadata": {"name": name, "annotations": annotations}})
    }

    fn hook(kind: &str, name: &str, events: &str, weight: &str) -> Json {
        object(kind, name, &json!({"helm.sh/hook": events, "helm.sh/hook-weight": weight}))
    }

    /// What a command sends of a chart whose first object lies in `crds/`.
    fn sent(objects: &[Json], operation: Operation, flags: &[&str]) -> String {
        sent_by("install", objects, operation, flags)
    }

    fn sent_by(verb: &str, objects: &[Json], operation: Operation, flags: &[&str]) -> String {
        let bundle = sample::bundle(objects);
        let Some(Action::Deliver(unit)) = bundle.steps.into_iter().map(|step| step.action).next() else {
            panic!("no delivery");
        };
        let mut unit = Unit { delivery: unit.delivery, ..unit };
        unit.delivery.tool = Tool::Helm;
        verb.clone_into(&mut unit.delivery.verb);
        unit.delivery.arranged = Arranged::AsChart { definitions: 1 };
        unit.delivery.flags = flags.iter().map(|flag| (*flag).to_owned()).collect();
        let release = Release::of(&unit, operation);
        release.objects().map(|object| object.id.name()).collect::<Vec<_>>().join(" ")
    }

    fn chart() -> Vec<Json> {
        vec![
            object("CustomResourceDefinition", "gadgets", &json!({})),
            hook("Job", "b-migrate", "pre-install, pre-upgrade", "0"),
            hook("Secret", "c-password", "pre-install", "0"),
            hook("ServiceAccount", "d-account", "pre-install", "-5"),
            hook("Job", "a-greet", "post-install", "not a number"),
            hook("ServiceAccount", "e-account", "pre-install,post-install", "7"),
            hook("Pod", "try", "test", "0"),
            hook("Pod", "misspelt", "pre-instal", "0"),
            object("Deployment", "web", &json!({"a": "b"})),
            object("ConfigMap", "settings", &json!({})),
        ]
    }

    #[test]
    fn hooks_go_by_weight_and_then_by_name_whatever_their_kind() {
        let all = "gadgets d-account b-migrate c-password e-account settings web a-greet";
        assert_eq!(sent(&chart(), Operation::Install, &[]), all);
    }

    #[test]
    fn an_upgrade_leaves_definitions_alone_and_has_hooks_of_its_own() {
        assert_eq!(sent(&chart(), Operation::Upgrade, &[]), "b-migrate settings web");
    }

    #[test]
    fn a_command_that_says_what_it_does_has_the_hooks_of_that() {
        let chart = [
            object("CustomResourceDefinition", "gadgets", &json!({})),
            hook("Job", "backup", "pre-delete", "0"),
            hook("Job", "before", "pre-rollback", "0"),
            hook("Job", "begin", "pre-install", "0"),
        ];
        for (verb, expected) in
            [("install", "gadgets begin"), ("uninstall", "backup"), ("rollback", "before")]
        {
            assert_eq!(sent_by(verb, &chart, Operation::Install, &[]), expected);
        }
    }

    #[test]
    fn flags_leave_out_hooks_and_definitions() {
        assert_eq!(sent(&chart(), Operation::Install, &["--no-hooks", "--skip-crds"]), "settings web");
        assert_eq!(sent(&chart(), Operation::Install, &["--no-hooks=true"]), "gadgets settings web");
    }
}
