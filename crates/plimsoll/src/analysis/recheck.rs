//! A fix is called safe only after the input was put into the new order and analysed again.

use super::{Settings, Verdict};
use plimsoll_model::{Action, Bundle, Finding, Object, ObjectId, Safety};
use plimsoll_order::Flaw;
use std::collections::BTreeSet;

/// How much is looked at again: objects times fixes.
const EFFORT: usize = 5_000;

/// What tells one pair from another.
type Pair<'a> = (&'a str, &'a ObjectId, &'a ObjectId);

/// Analyses again for every fix that claims to be safe; where the pair still races, another one begins to, or the
/// input is too large to look again, the fix asks for a review.
pub(super) fn safe_fixes(bundle: &Bundle, settings: &Settings, verdict: &mut Verdict) -> Result<(), Flaw> {
    let mut left = EFFORT;
    let before: BTreeSet<_> = verdict.findings.iter().map(owned).collect();
    for finding in &mut verdict.findings {
        if !finding.fixes.iter().any(|fix| fix.safety == Safety::Safe) {
            continue;
        }
        let cost = bundle.coverage.objects.max(1);
        let is_held = left >= cost && is_mended(bundle, settings, finding, &before)?;
        left = left.saturating_sub(cost);
        if !is_held {
            for fix in finding.fixes.iter_mut().filter(|fix| fix.safety == Safety::Safe) {
                fix.safety = Safety::Review;
            }
        }
    }
    Ok(())
}

fn is_mended(
    bundle: &Bundle,
    settings: &Settings,
    finding: &Finding,
    before: &BTreeSet<(String, ObjectId, ObjectId)>,
) -> Result<bool, Flaw> {
    let mut mended = bundle.clone();
    for step in &mut mended.steps {
        if let Action::Deliver(unit) = &mut step.action {
            put_before(&mut unit.objects, &finding.before.object, &finding.after.object);
        }
    }
    let again = super::find(&mended, settings)?;
    let mended = pair(finding);
    let is_known = |one: &Finding| before.contains(&owned(one));
    Ok(again.findings.iter().all(|one| pair(one) != mended && is_known(one)))
}

/// Puts what must come first in front of what needs it, with the whole file it stands in where that is another file.
fn put_before(objects: &mut Vec<Object>, first: &ObjectId, then: &ObjectId) {
    let place = |objects: &[Object], id: &ObjectId| objects.iter().position(|object| &object.id == id);
    let (Some(from), Some(to)) = (place(objects, first), place(objects, then)) else { return };
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
}

fn pair(finding: &Finding) -> Pair<'_> {
    (finding.rule.0, &finding.before.object, &finding.after.object)
}

fn owned(finding: &Finding) -> (String, ObjectId, ObjectId) {
    (finding.rule.0.to_owned(), finding.before.object.clone(), finding.after.object.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_model::{FileIndex, Node, Place, Value};

    fn object(name: &str, file: u32) -> Object {
        let place = Place { file: FileIndex(file), line: 1, column: 1 };
        let id = ObjectId::new("", "ConfigMap", Some("default"), name);
        Object { id, version: "v1".into(), root: Node { value: Value::Null, place } }
    }

    fn order(mut objects: Vec<Object>, first: &str, then: &str) -> String {
        let id = |name: &str| ObjectId::new("", "ConfigMap", Some("default"), name);
        put_before(&mut objects, &id(first), &id(then));
        objects.iter().map(|object| object.id.name()).collect::<Vec<_>>().join(" ")
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
