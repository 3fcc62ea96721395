//! PLM-R039: a wait or a look-up fails at once, since what it names is not there yet.

use crate::rule::{Found, Rule};
use crate::tools::gates;
use crate::view::View;
use plimsoll_model::Milestone::{Observed, Ready, Started, Stored};
use plimsoll_model::{
    Action, Actor, Class, Clause, Code, Condition, Gate, Moment, ObjectId, Outcome, Premise, Step, StepIndex,
    Target,
};
use std::collections::BTreeSet;
use std::sync::Arc;

pub(crate) static RULE: Rule = Rule {
    code: Code("PLM-R039"),
    name: "wait-before-object-exists",
    class: Class::OneShotProbe,
    page: include_str!("wait_before_object_exists.md"),
    find,
};

fn find(view: &View<'_>, found: &mut Found) {
    for (index, step) in view.bundle.numbered_steps() {
        let Action::Wait(gate) = &step.action else { continue };
        // What must run must be there before: that is another rule's.
        let is_about_running = gate.condition == Condition::Running;
        if gate.needs_existing && !is_about_running && matters(view, index, step) {
            for target in gate.targets.iter().filter(|target| !was_found(view, step, target)) {
                look(view, (index, step), gate, target, found);
            }
        }
    }
}

/// Whether the script comes here only after it has looked for the same once and found it:
/// `if kubectl get x; then kubectl get x …`.
fn was_found(view: &View<'_>, step: &Step, target: &Target) -> bool {
    let is_look = |gate: &Gate| gate.needs_existing && gate.timeout.is_some_and(|time| time.is_zero());
    let certain = |step: &Step| -> Vec<StepIndex> {
        let ended = step.after.iter();
        let ended = ended.filter(|edge| edge.outcome == Outcome::Succeeded && edge.unless_skipped.is_none());
        ended.map(|edge| edge.step).collect()
    };
    let mut seen = BTreeSet::new();
    let mut waiting = certain(step);
    while let Some(index) = waiting.pop() {
        let Some(earlier) = view.bundle.step(index).filter(|_| seen.insert(index)) else { continue };
        if matches!(&earlier.action, Action::Wait(gate) if is_look(gate) && gate.targets.contains(target)) {
            return true;
        }
        waiting.extend(certain(earlier));
    }
    false
}

/// Whether the script depends on the wait's success: a step that always runs needs it, or it is the last and its
/// failure is the script's. `if kubectl get …` and `kubectl wait … || true` ask and go on.
pub(super) fn matters(view: &View<'_>, index: StepIndex, step: &Step) -> bool {
    let line = step.place.and_then(|place| view.bundle.files.line(place)).unwrap_or_default().trim();
    let asks = line.contains("||")
        || ["if ", "while ", "until ", "elif ", "! "].iter().any(|word| line.starts_with(word));
    let mut is_last = !asks && !step.may_be_skipped;
    // What waits for it comes behind it.
    let behind = view.bundle.steps.get(index.0 as usize..).unwrap_or_default();
    for later in behind {
        for edge in later.after.iter().filter(|after| after.step == index) {
            is_last = false;
            if edge.outcome == Outcome::Succeeded && !(asks && later.may_be_skipped) {
                return true;
            }
        }
    }
    is_last
}

/// A name must be there; of a selector's matches any one is enough for the wait to begin.
fn look(view: &View<'_>, (index, step): (StepIndex, &Step), gate: &Gate, target: &Target, found: &mut Found) {
    let ids = gates::watched(view, target);
    if !finds_nothing(gate) {
        look_for_made(view, (index, step), target, found);
    }
    let is_any = matches!(target, Target::Selected { .. });
    if ids.is_empty() || (is_any && finds_nothing(gate)) {
        return;
    }
    let pods = gates::is_pods(view, target);
    let there = |id: &ObjectId| id.at(if pods { Observed } else { Stored });
    let clauses: Vec<Clause> = if is_any {
        vec![Clause(ids.iter().map(there).collect())]
    } else {
        ids.iter().map(|id| Clause::one(there(id))).collect()
    };
    let Some(place) = step.place else { return };
    for clause in clauses {
        let names: Vec<String> =
            clause.0.iter().filter_map(Moment::object).map(ToString::to_string).collect();
        let of = if pods { "pods of " } else { "" };
        let text = answer(&clause, target);
        RULE.requires(clause, Moment::step(index, Started))
            .at(place)
            .says(format!("`{}` looks for {of}{}", step.says, names.join(" or ")))
            .answered(Actor::Tool, format!("looks for {of}{}", names.join(" or ")), text)
            .push(found);
    }
}

/// Pods that an operator makes of an object are there some time after the object, or at the latest when it is ready.
fn look_for_made(view: &View<'_>, (index, step): (StepIndex, &Step), target: &Target, found: &mut Found) {
    let Some(place) = step.place else { return };
    for id in gates::made_for(view, target) {
        let clause = Clause(vec![id.at(Started), id.at(Ready)]);
        let text = answer(&clause, target);
        let says = format!("the operator of {} makes pods with that label", id.kind());
        RULE.requires(clause, Moment::step(index, Started))
            .given(Some(Arc::new(Premise { says, carrier: None, is_outline: false })))
            .at(place)
            .says(format!("`{}` looks for pods that are made for {id}", step.says))
            .answered(Actor::Tool, format!("looks for pods that are made for {id}"), text)
            .push(found);
    }
}

/// `kubectl get` and `kubectl rollout status` with a selector end with success where nothing matches.
fn finds_nothing(gate: &Gate) -> bool {
    use plimsoll_model::Condition::{Exists, RolledOut};
    matches!(gate.condition, Exists | RolledOut)
}

/// What kubectl prints; seen with v1.36.4.
fn answer(clause: &Clause, target: &Target) -> String {
    let not_found = |id: &ObjectId, name: &str| {
        let plural = plimsoll_schema::resource(id.group(), id.kind()).unwrap_or_default();
        let dot = if id.group().is_empty() { "" } else { "." };
        format!("Error from server (NotFound): {plural}{dot}{} \"{name}\" not found", id.group())
    };
    let id = clause.0.first().and_then(Moment::object);
    match (target, id) {
        (Target::Selected { .. }, _) | (_, None) => "error: no matching resources found".to_owned(),
        (Target::Named { name, .. }, Some(id)) if id.name() != name => {
            format!("Error from server (NotFound): pods \"{name}\" not found")
        }
        (_, Some(id)) => not_found(id, id.name()),
    }
}
