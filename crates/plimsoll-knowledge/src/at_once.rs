//! What happens at once is not an event of its own: a moment whose cause takes no time holds as soon as its cause does.
//!
//! A webhook serves the very moment its Service does and a pod behind that is ready. So a need for such a moment is a
//! need for each of the things it consists of, and a wait for those is a wait for it.

use crate::rule::Found;
use plimsoll_model::{Cause, Clause, Delay, Moment, Requirement, Window};
use rustc_hash::FxHashMap;

type Causes<'a> = FxHashMap<&'a Moment, Vec<&'a Cause>>;

/// Replaces every need for a moment that comes at once by needs for what it consists of.
pub(crate) fn settle(found: &mut Found) {
    let mut causes: Causes<'_> = FxHashMap::default();
    for cause in &found.causes {
        causes.entry(&cause.moment).or_default().push(cause);
    }
    let requirements = std::mem::take(&mut found.requirements);
    found.requirements = requirements.into_iter().flat_map(|one| split(&causes, one)).collect();
    let windows = std::mem::take(&mut found.windows);
    found.windows = windows
        .into_iter()
        .flat_map(|Window { open, requirement }| {
            split(&causes, requirement)
                .into_iter()
                .map(move |requirement| Window { open: open.clone(), requirement })
        })
        .collect();
}

fn split(causes: &Causes<'_>, requirement: Requirement) -> Vec<Requirement> {
    let mut parts = Vec::new();
    consist(causes, &requirement.first, &mut parts);
    if parts.len() == 1 && parts.first() == Some(&requirement.first) {
        return vec![requirement];
    }
    let told = requirement.needed().cloned();
    parts.into_iter().map(|first| Requirement { first, told: told.clone(), ..requirement.clone() }).collect()
}

/// Adds the clauses that a clause consists of: all of them together are as good as it.
fn consist(causes: &Causes<'_>, clause: &Clause, parts: &mut Vec<Clause>) {
    let [moment] = clause.0.as_slice() else {
        return parts.push(clause.clone());
    };
    let known = causes.get(moment).map_or(&[][..], Vec::as_slice);
    let is_immediate = |cause: &&&Cause| cause.delay == Delay::NONE && !cause.after.is_empty();
    match known {
        [cause] if is_immediate(&cause) => {
            for after in &cause.after {
                consist(causes, after, parts);
            }
        }
        [_, _, ..] if known.iter().all(|cause| is_immediate(&cause) && cause.after.len() == 1) => {
            let alternatives = known.iter().flat_map(|cause| &cause.after).flat_map(|after| &after.0);
            parts.push(Clause(alternatives.cloned().collect()));
        }
        _ => parts.push(clause.clone()),
    }
}
