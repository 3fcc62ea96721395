//! Commands of Helm that go back to what a script has delivered: `rollback` and `uninstall`.
//!
//! Helm v3.22.0 and v4.3.1, `pkg/action/rollback.go` and `uninstall.go`: a rollback runs the hooks of the revision that it
//! goes back to; an uninstallation runs those of the last one, and comes to the deletions only when the hooks before
//! them have succeeded.

use super::{Arguments, last, told};
use crate::script::reader::Reader;
use crate::script::simple::Call;
use crate::script::state::{Flow, State, join};
use plimsoll_model::{Action, Arranged, Delivery, Object, ObjectId, Removal, Tool, Unit};

/// `helm rollback`: a revision that earlier commands have brought, once more.
pub(super) fn rollback(reader: &Reader<'_, '_>, call: &Call<'_>) -> Result<Action, String> {
    let Arguments { words, flags } = Arguments::of(call.arguments());
    let revision = match words.as_slice() {
        [_, _] => Some(0),
        [_, _, revision] => revision.text.parse::<usize>().ok(),
        _ => None,
    };
    let name = words.get(1).map_or("", |word| &word.text);
    let namespace = last(&flags, &["-n", "--namespace"]).unwrap_or(reader.namespace);
    let revisions: Vec<&Unit> = revisions(reader, name, namespace).collect();
    let found = match revision {
        Some(0) => revisions.len().checked_sub(2).and_then(|last| revisions.get(last)),
        Some(number) => revisions.get(number - 1),
        None => None,
    };
    let unit =
        found.ok_or("`helm rollback` goes back to a revision that the script does not show".to_owned())?;
    let delivery = Delivery {
        verb: "rollback".to_owned(),
        is_repeated: reader.is_polling,
        ..told(&flags, unit.delivery.clone())
    };
    Ok(Action::Deliver(Unit::new(delivery, unit.objects.clone())))
}

/// `helm uninstall`: hooks, then the deletion of what earlier commands have brought as these releases, then hooks. Hooks,
/// what lies in `crds/`, and what has a policy of its own stay. Helm waits until the rest is gone only if it is told to.
pub(super) fn uninstall(reader: &mut Reader<'_, '_>, call: &Call<'_>, state: State) -> Flow {
    let Arguments { words, flags } = Arguments::of(call.arguments());
    let namespace = last(&flags, &["-n", "--namespace"]).unwrap_or(reader.namespace).to_owned();
    let has = |name: &str| flags.iter().any(|(flag, value)| *flag == name && *value != "false");
    let mut objects = Vec::new();
    let [mut before, mut after] = [Vec::new(), Vec::new()];
    for name in words.iter().skip(1) {
        let Some(unit) = revisions(reader, &name.text, &namespace).last() else {
            let cause = format!("what the release `{}` holds, which this deletes, is not known", name.text);
            reader.problem(call.at, false, cause);
            continue;
        };
        objects.extend(parts(unit));
        if !has("--no-hooks") {
            before.extend(hooks(unit, &told(&flags, unit.delivery.clone()), "pre-delete", ""));
            after.extend(hooks(unit, &told(&flags, unit.delivery.clone()), "post-delete", "pre-delete"));
        }
    }
    let removal = Action::Remove(Removal { objects, waits: has("--wait"), ignores_missing: true });
    let actions = before.into_iter().map(Action::Deliver).chain([removal]);
    emit_all(reader, call, state, actions.chain(after.into_iter().map(Action::Deliver)))
}

/// Steps of one command: each waits for the success of the one before, and the command fails with any of them.
fn emit_all(
    reader: &mut Reader<'_, '_>,
    call: &Call<'_>,
    state: State,
    actions: impl Iterator<Item = Action>,
) -> Flow {
    let mut flow = Flow { success: Some(state), failure: None };
    for action in actions {
        let Some(state) = flow.success.take() else { break };
        let step = reader.emit(action, call.at, call.says, &state);
        let next = Reader::outcomes(step, state);
        flow = Flow { success: next.success, failure: join(flow.failure, next.failure) };
    }
    flow
}

/// What earlier commands have brought as a release, the first revision first.
fn revisions<'a>(reader: &'a Reader<'_, '_>, name: &str, namespace: &str) -> impl Iterator<Item = &'a Unit> {
    let is_it = move |unit: &&Unit| {
        let Delivery { tool, verb, release, namespace: home, .. } = &unit.delivery;
        *tool == Tool::Helm
            && verb != "uninstall"
            && release.as_deref() == Some(name)
            && home.as_deref() == Some(namespace)
    };
    let units = reader.steps.iter().filter_map(|step| match &step.action {
        Action::Deliver(unit) => Some(unit),
        _ => None,
    });
    units.filter(is_it)
}

/// The hooks of a release at one event and not at another, as a delivery of their own; nothing if there are none.
fn hooks(unit: &Unit, delivery: &Delivery, event: &str, other: &str) -> Option<Unit> {
    let is_meant = |object: &&Object| {
        let events = object.text_at(&["metadata", "annotations", "helm.sh/hook"]).unwrap_or_default();
        let has = |event: &str| events.split(',').any(|word| word.trim().eq_ignore_ascii_case(event));
        has(event) && !has(other)
    };
    let objects: Vec<Object> = unit.objects.iter().filter(is_meant).cloned().collect();
    let delivery = Delivery {
        verb: "uninstall".to_owned(),
        arranged: Arranged::AsChart { definitions: 0 },
        ..delivery.clone()
    };
    (!objects.is_empty()).then(|| Unit::new(delivery, objects))
}

/// What goes with a release.
fn parts(unit: &Unit) -> Vec<ObjectId> {
    let definitions = match unit.delivery.arranged {
        Arranged::AsChart { definitions } => definitions,
        _ => 0,
    };
    let has = |object: &Object, name: &str| object.text_at(&["metadata", "annotations", name]).is_some();
    let stays = |object: &Object| has(object, "helm.sh/hook") || has(object, "helm.sh/resource-policy");
    let objects = unit.objects.iter().skip(definitions).filter(|object| !stays(object));
    objects.map(|object| object.id.clone()).collect()
}
