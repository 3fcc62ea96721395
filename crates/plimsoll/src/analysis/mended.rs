//! The input as it would be after a fix: objects or commands in another order, or a wait between them.

use plimsoll_model::{
    Action, After, Bundle, Change, Finding, Gate, Milestone, Object, ObjectId, Outcome, Step, StepIndex, Unit,
};

/// Why a change is not made.
type Unmade = &'static str;

const NOWHERE: Unmade = "it is not plain which commands it moves";
const BRANCHES: Unmade = "the script may pass over some of the commands it moves";
const GOES_ON: Unmade = "it helps only where a wait that fails stops the script, as under `set -e`";

/// The input with a change made for a finding.
pub(super) fn with(bundle: &Bundle, finding: &Finding, change: &Change) -> Result<Bundle, Unmade> {
    let mut mended = bundle.clone();
    match change {
        Change::Order => reorder(&mut mended.steps, finding)?,
        Change::Gate(gate) => put_behind(&mut mended.steps, finding, gate)?,
        Change::Patience(patience) => {
            let is_meant = |step: &&mut Step| step.place.is_some() && step.place == finding.after.place;
            for step in mended.steps.iter_mut().filter(is_meant) {
                if let Action::Wait(gate) = &mut step.action {
                    gate.timeout = Some(*patience);
                }
            }
        }
        Change::Stop => stop(&mut mended.steps),
    }
    Ok(mended)
}

/// Sends what must come first before what needs it: inside one command, or one command before another.
fn reorder(steps: &mut [Step], finding: &Finding) -> Result<(), Unmade> {
    let (first, then) = (&finding.before.object, &finding.after.object);
    let mut is_done = false;
    for step in &mut *steps {
        if let Action::Deliver(unit) = &mut step.action {
            is_done |= put_before(&mut unit.objects, first, then);
        }
    }
    if is_done {
        return Ok(());
    }
    let from = steps.iter().position(|step| sends(step, first)).ok_or(NOWHERE)?;
    let to = reader(steps, finding).filter(|to| *to < from).ok_or(NOWHERE)?;
    let moved = steps.get_mut(to..=from).unwrap_or_default();
    let may_pass_over =
        |step: &Step| step.may_be_skipped || step.after.iter().any(|after| after.unless_skipped.is_some());
    if moved.iter().any(may_pass_over) {
        return Err(BRANCHES);
    }
    // What a command waits for belongs to its place in the script and stays there.
    let after: Vec<Vec<After>> = moved.iter_mut().map(|step| std::mem::take(&mut step.after)).collect();
    moved.rotate_right(1);
    moved.iter_mut().zip(after).for_each(|(step, after)| step.after = after);
    Ok(())
}

/// Puts a wait in front of the command that needs it. Where that command also sends what must come first, this gets a
/// command of its own before the wait.
fn put_behind(steps: &mut Vec<Step>, finding: &Finding, gate: &Gate) -> Result<(), Unmade> {
    let mut at = reader(steps, finding).ok_or(NOWHERE)?;
    if !stops_on_failure(steps, at) {
        return Err(GOES_ON);
    }
    let step = steps.get_mut(at).ok_or(NOWHERE)?;
    let mut before = Step { action: Action::Wait(gate.clone()), place: None, ..step.clone() };
    let is_first = |object: &Object| {
        object.id == finding.before.object || finding.before.carriers.contains(&object.id.to_string())
    };
    if let Action::Deliver(Unit { delivery, objects, .. }) = &mut step.action
        && objects.iter().any(is_first)
    {
        let (first, rest): (Vec<Object>, Vec<Object>) =
            std::mem::take(objects).into_iter().partition(is_first);
        *objects = rest;
        let unit = Unit::new(delivery.clone(), first);
        let first = Step { action: Action::Deliver(unit), ..step.clone() };
        insert(steps, at, first);
        at += 1;
        before.after.clear();
        before.after.extend(index(at - 1).map(succeeded));
    }
    insert(steps, at, before);
    Ok(())
}

/// Puts a step in front of another, which from then on begins only after it has succeeded.
fn insert(steps: &mut Vec<Step>, at: usize, step: Step) {
    for after in steps.iter_mut().flat_map(|step| &mut step.after) {
        if after.step.0 as usize >= at {
            after.step.0 += 1;
        }
    }
    if let Some(next) = steps.get_mut(at) {
        next.after.extend(index(at).map(succeeded));
    }
    steps.insert(at.min(steps.len()), step);
}

fn index(at: usize) -> Option<StepIndex> {
    u32::try_from(at).ok().map(StepIndex)
}

fn succeeded(step: StepIndex) -> After {
    After { step, outcome: Outcome::Succeeded, unless_skipped: None }
}

/// Whether the next command runs only if this one succeeded. Nobody says how files without a script are sent one by
/// one; who does it by hand looks.
fn stops_on_failure(steps: &[Step], at: usize) -> bool {
    let is_said = steps.get(at).is_some_and(|step| step.place.is_some());
    let own = steps.get(at).into_iter().flat_map(|step| &step.after);
    let others = steps.iter().flat_map(|step| &step.after).filter(|after| after.step.0 as usize == at);
    !is_said || own.chain(others).any(|after| after.outcome == Outcome::Succeeded)
}

/// Lets the script stop where a wait fails.
fn stop(steps: &mut [Step]) {
    let is_wait: Vec<bool> = steps.iter().map(|step| matches!(step.action, Action::Wait(_))).collect();
    for after in steps.iter_mut().flat_map(|step| &mut step.after) {
        if after.outcome == Outcome::Ended && is_wait.get(after.step.0 as usize) == Some(&true) {
            after.outcome = Outcome::Succeeded;
        }
    }
}

/// The command that needs something: the end of the pair itself, or what sends or removes it.
fn reader(steps: &[Step], finding: &Finding) -> Option<usize> {
    let end = &finding.after;
    if end.object.is("", "Step") {
        return steps.iter().position(|step| step.place.is_some() && step.place == end.place);
    }
    let removes =
        |step: &Step| matches!(&step.action, Action::Remove(one) if one.objects.contains(&end.object));
    let is_meant =
        |step: &Step| if end.milestone == Milestone::Gone { removes(step) } else { sends(step, &end.object) };
    steps.iter().position(is_meant)
}

fn sends(step: &Step, id: &ObjectId) -> bool {
    matches!(&step.action, Action::Deliver(unit) if unit.objects.iter().any(|object| &object.id == id))
}

/// Puts what must come first in front of what needs it, with the whole file it stands in where that is another file.
fn put_before(objects: &mut Vec<Object>, first: &ObjectId, then: &ObjectId) -> bool {
    let place = |objects: &[Object], id: &ObjectId| objects.iter().position(|object| &object.id == id);
    let (Some(from), Some(to)) = (place(objects, first), place(objects, then)) else { return false };
    let file = |at: usize| objects.get(at).map(|object| object.place().file);
    let (source, target) = (file(from), file(to));
    let is_taken = |object: &Object| {
        if source == target { &object.id == first } else { Some(object.place().file) == source }
    };
    let (moved, mut rest): (Vec<Object>, Vec<Object>) =
        std::mem::take(objects).into_iter().partition(is_taken);
    let is_goal = |object: &Object| {
        if source == target { &object.id == then } else { Some(object.place().file) == target }
    };
    let goal = rest.iter().position(is_goal).unwrap_or(0);
    let behind = rest.split_off(goal);
    *objects = rest.into_iter().chain(moved).chain(behind).collect();
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_model::{FileIndex, Node, Place, Value};

    fn object(name: &str, file: u32) -> Object {
        let place = Place { file: FileIndex(file), line: 1, column: 1 };
        let id = ObjectId::new("", "ConfigMap", Some("default"), name);
        Object::new(id, "v1", Node { value: Value::Null, place })
    }

    fn order(mut objects: Vec<Object>, first: &str, then: &str) -> String {
        let id = |name: &str| ObjectId::new("", "ConfigMap", Some("default"), name);
        put_before(&mut objects, &id(first), &id(then));
        objects.iter().map(|object| object.id.name()).collect::<Vec<_>>().join(" ")
    }

    /// Three commands, one after the other, as a script without `set -e` runs them.
    fn script(actions: [Action; 3]) -> Vec<Step> {
        let after = |at: u32| After { step: StepIndex(at), outcome: Outcome::Ended, unless_skipped: None };
        let place = |line| Some(Place { file: FileIndex(0), line, column: 1 });
        let step = |(at, action): (u32, Action)| Step {
            action,
            after: at.checked_sub(1).map(after).into_iter().collect(),
            may_be_skipped: false,
            branch: None,
            is_presumed: false,
            place: place(at),
            says: at.to_string(),
            marks: Vec::new(),
        };
        (0..).zip(actions).map(step).collect()
    }

    fn wait() -> Action {
        let (targets, condition) = (Vec::new(), plimsoll_model::Condition::Exists);
        Action::Wait(Gate { targets, condition, timeout: None, needs_existing: true })
    }

    #[test]
    fn only_the_failure_of_a_wait_is_made_to_stop_the_script() {
        let opaque = || Action::Opaque(String::new());
        let mut steps = script([opaque(), wait(), opaque()]);
        stop(&mut steps);
        let outcomes: Vec<Outcome> =
            steps.iter().flat_map(|step| &step.after).map(|one| one.outcome).collect();
        assert_eq!(outcomes, [Outcome::Ended, Outcome::Succeeded]);
    }

    #[test]
    fn a_step_that_is_put_in_moves_the_others_and_is_waited_for() {
        let opaque = || Action::Opaque(String::new());
        let mut steps = script([opaque(), opaque(), opaque()]);
        let new = Step { action: wait(), ..steps[1].clone() };
        insert(&mut steps, 1, new);
        let after: Vec<Vec<u32>> =
            steps.iter().map(|step| step.after.iter().map(|one| one.step.0).collect()).collect();
        assert_eq!(after, [vec![], vec![0], vec![0, 1], vec![2]]);
        assert!(!stops_on_failure(&steps, 0) && stops_on_failure(&steps, 1));
    }

    #[test]
    fn an_object_moves_alone_in_its_file_and_with_its_file_otherwise() {
        let objects = || vec![object("a", 0), object("b", 0), object("c", 1), object("d", 1), object("e", 2)];
        assert_eq!(order(objects(), "b", "a"), "b a c d e");
        assert_eq!(order(objects(), "d", "b"), "c d a b e");
        assert_eq!(order(objects(), "e", "c"), "a b e c d");
        assert_eq!(order(objects(), "x", "c"), "a b c d e");
    }
}
