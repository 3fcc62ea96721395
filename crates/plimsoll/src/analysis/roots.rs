//! Pairs of one cause: they share a root, and the worst root comes first.

use plimsoll_model::{Class, Code, End, Finding, Milestone, ObjectId};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Keeps one finding for each pair, sorts the worst first and numbers the roots.
pub(super) fn gather(findings: Vec<Finding>) -> Vec<Finding> {
    let mut pairs: BTreeMap<_, Finding> = BTreeMap::new();
    for finding in findings {
        let key = pair(&finding);
        match pairs.get(&key) {
            Some(kept) if super::telling::rank(kept) >= super::telling::rank(&finding) => {}
            _ => {
                pairs.insert(key, finding);
            }
        }
    }
    let mut findings: Vec<Finding> = pairs.into_values().collect();
    findings.sort_by_key(|finding| {
        (
            Reverse((finding.confidence == plimsoll_model::Confidence::Proved, finding.consequence)),
            cause(finding),
            finding.after.place,
        )
    });
    let mut roots: BTreeMap<(Code, Cause), u32> = BTreeMap::new();
    for finding in &mut findings {
        let next = u32::try_from(roots.len()).unwrap_or(u32::MAX).saturating_add(1);
        finding.root = *roots.entry(cause(finding)).or_insert(next);
    }
    findings.sort_by_key(|finding| finding.root);
    findings
}

/// What tells one pair from another.
pub(super) fn pair(finding: &Finding) -> (Code, ObjectId, Milestone, ObjectId) {
    let (before, after) = (&finding.before, &finding.after);
    (finding.rule, before.object.clone(), before.milestone, after.object.clone())
}

/// What pairs of one rule have in common.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Cause {
    /// What comes too late, or the hook that goes too early.
    Object(ObjectId, Milestone),
    /// What is said of each object that is refused for the same reason, and how that is mended.
    Reason(String),
}

fn cause(finding: &Finding) -> (Code, Cause) {
    let cause = match finding.class {
        Class::ApiVersionNotServed => Cause::Reason(reason(finding)),
        Class::HookDeletePolicy if finding.before.milestone == Milestone::Gone => of(&finding.after),
        _ => of(&finding.before),
    };
    (finding.rule, cause)
}

fn of(end: &End) -> Cause {
    Cause::Object(end.object.clone(), end.milestone)
}

fn reason(finding: &Finding) -> String {
    let id = finding.after.object.to_string();
    let said = finding.message.strip_prefix(&id).unwrap_or(&finding.message);
    let fixes = finding.fixes.iter().map(|fix| fix.summary.as_str());
    std::iter::once(said).chain(fixes).collect()
}
