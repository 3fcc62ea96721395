//! Pairs of one cause: they share a root, and the worst root comes first.

use plimsoll_model::{Class, Code, Finding, Milestone, ObjectId};
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
    let mut roots: BTreeMap<(Code, ObjectId, Milestone), u32> = BTreeMap::new();
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

/// What pairs of one cause have in common: the rule, and what comes too late, or the hook that goes too early.
fn cause(finding: &Finding) -> (Code, ObjectId, Milestone) {
    let is_deleted = finding.class == Class::HookDeletePolicy && finding.before.milestone == Milestone::Gone;
    let end = if is_deleted { &finding.after } else { &finding.before };
    (finding.rule, end.object.clone(), end.milestone)
}
