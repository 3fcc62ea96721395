//! PLM-R051: a hook of Helm is deleted once all hooks of its event have succeeded, before those that need it read it.
//!
//! Helm v4.3.1 and v3.22.0 `pkg/action/hooks.go` (`deleteHookByPolicy` with `HookSucceeded`); the order of deletion and
//! creation seen with both in the audit log of a real server v1.36.4.

use crate::rule::{Found, Rule};
use crate::tools::helm::{self, Event, Part, Phase, Timetable};
use crate::view::View;
use plimsoll_model::Milestone::{Complete, Gone};
use plimsoll_model::{
    Action, Class, Clause, Code, Moment, Object, ObjectId, Operation, Requirement, StepIndex, Subject, Tool,
    Unit, Window,
};
use rustc_hash::FxHashMap;
use std::rc::Rc;

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R051"),
    name: "hook-deleted-before-its-reader",
    class: Class::HookDeletePolicy,
    page: include_str!("hook_deleted_before_its_reader.md"),
    find: |_, _| {},
};

/// A hook that is deleted again, and the command that does it.
struct Brief {
    step: StepIndex,
    timetable: Rc<Timetable>,
    events: Vec<Event>,
    /// Whether nothing runs at its events, so that it is made and deleted in one moment.
    is_instant: bool,
}

/// Whatever any rule says is needed is not there for those who come after its deletion.
pub(crate) fn find(view: &View<'_>, found: &mut Found) {
    let briefs = briefs(view, found);
    if briefs.is_empty() {
        return;
    }
    if view.scene.operation.is_change() {
        return miss_later(view, &briefs, found);
    }
    let missed = found.requirements.iter().filter_map(|requirement| {
        let [needed] = requirement.first.0.as_slice() else { return None };
        let hook = needed.object().filter(|_| needed.milestone != Complete)?;
        let brief = briefs.get(hook)?;
        comes_after(view, brief, hook, &requirement.then).then(|| miss(requirement, needed, hook))
    });
    let missed: Vec<Window> = missed.collect();
    found.windows.extend(missed);
}

/// An upgrade deletes what those read that run already: nobody misses it before the next pod starts.
fn miss_later(view: &View<'_>, briefs: &FxHashMap<&ObjectId, Brief>, found: &mut Found) {
    let is_told = |brief: &Brief| view.bundle.before.is_none() && is_of_installation(&brief.events);
    let missed = found.requirements.iter().filter_map(|requirement| {
        let [needed] = requirement.first.0.as_slice() else { return None };
        let hook = needed.object().filter(|_| needed.milestone != Complete)?;
        let brief = briefs.get(hook).filter(|brief| !is_told(brief))?;
        let reader = requirement.then.object()?;
        comes_after(view, brief, hook, &requirement.then).then(|| {
            let Window { requirement, .. } = miss(requirement, needed, hook);
            Requirement { told: Some(reader.at(Gone)), then: hook.at(Gone), lost: Vec::new(), ..requirement }
        })
    });
    let missed: Vec<Requirement> = missed.collect();
    found.requirements.extend(missed);
}

fn is_of_installation(events: &[Event]) -> bool {
    helm::around(Operation::Install).iter().any(|event| events.contains(event))
}

/// Whether a second run deletes a hook that the first one has not made.
pub(crate) fn is_possible(unit: &Unit) -> bool {
    let release = helm::Release::of(unit, Operation::Upgrade);
    let is_new = |hook: &Object| match helm::part(hook) {
        Part::Hook(part) => !is_of_installation(&part.events),
        _ => false,
    };
    unit.delivery.tool == Tool::Helm
        && release.hooks().any(|hook| helm::is_brief(hook) && !runs(hook) && is_new(hook))
}

/// Every hook that goes once it has succeeded, and that nothing else brings.
fn briefs<'a>(view: &View<'a>, found: &Found) -> FxHashMap<&'a ObjectId, Brief> {
    let mut briefs = FxHashMap::default();
    for (step, unit) in releases(view) {
        let release = helm::Release::of(unit, view.scene.operation);
        let timetable = Rc::new(Timetable::of(unit, view.scene.operation));
        for hook in release.hooks().filter(|hook| is_read(&hook.id) && helm::is_brief(hook)) {
            let is_sole = view.declarations(&hook.id).count() == 1 && !found.is_brought(&hook.id);
            if let (true, Part::Hook(part)) = (is_sole, helm::part(hook)) {
                let (timetable, events) = (Rc::clone(&timetable), part.events);
                let is_instant = !release.hooks().any(|other| runs(other) && is_at(other, &events));
                briefs.insert(&hook.id, Brief { step, timetable, events, is_instant });
            }
        }
    }
    briefs
}

/// Whether a hook has succeeded only when its program has.
fn runs(hook: &Object) -> bool {
    matches!(hook.id.kind(), "Job" | "Pod")
}

fn is_at(hook: &Object, events: &[Event]) -> bool {
    matches!(helm::part(hook), Part::Hook(part) if part.events.iter().any(|event| events.contains(event)))
}

fn releases<'a>(view: &View<'a>) -> impl Iterator<Item = (StepIndex, &'a Unit)> {
    view.bundle.numbered_steps().filter_map(|(index, step)| match &step.action {
        Action::Deliver(unit) if unit.delivery.tool == Tool::Helm => Some((index, unit)),
        _ => None,
    })
}

/// Kinds whose absence is an obstacle. Without a webhook, a quota or a policy more is allowed, not less.
pub(super) fn is_read(id: &ObjectId) -> bool {
    let is_policy = matches!(id.kind(), "NetworkPolicy" | "ResourceQuota" | "LimitRange");
    id.group() != "admissionregistration.k8s.io" && !is_policy
}

/// Whether a reader comes after the deletion, and no second making of the hook lies between. Who waits for a hook that
/// comes later looks again in seconds, when one that is there for a moment only has gone.
fn comes_after(view: &View<'_>, brief: &Brief, hook: &ObjectId, then: &Moment) -> bool {
    let Some(reader) = then.object() else { return false };
    let sent = match then.subject {
        Subject::Request(step, _) => Some(step),
        _ => view.deliveries().iter().find(|delivered| delivered.object.id == *reader).map(|one| one.step),
    };
    let Some(sent) = sent else { return false };
    if sent != brief.step {
        return sent > brief.step;
    }
    let Some(phases) = brief.timetable.phases(hook, reader) else { return false };
    let [_, after] = helm::around(view.scene.operation);
    let is_made_again = phases.then == Phase::After && brief.events.contains(&after);
    let is_new = view.scene.operation == Operation::Install;
    let is_missed = phases.first > phases.then && brief.is_instant && is_new;
    is_missed || (phases.first < phases.then && !is_made_again)
}

fn miss(requirement: &Requirement, needed: &Moment, hook: &ObjectId) -> Window {
    let requirement = Requirement {
        rule: RULE.code,
        class: RULE.class,
        first: Clause(Vec::new()),
        told: Some(needed.clone()),
        message: format!(
            "{}, but Helm deletes {hook} as soon as the hooks have succeeded",
            requirement.message
        ),
        false_guard: None,
        remedy: Some(format!(
            "take `hook-succeeded` out of the delete policy of {hook}, or better its hook annotations away, so that it \
             is part of the release"
        )),
        ..requirement.clone()
    };
    Window { open: vec![hook.at(Gone).into()], requirement }
}
