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
    let mut more = Vec::new();
    for requirement in &mut found.requirements {
        more.extend(split(&causes, requirement));
    }
    found.requirements.append(&mut more);
    let mut more = Vec::new();
    for Window { open, requirement } in &mut found.windows {
        let rest = split(&causes, requirement).into_iter();
        more.extend(rest.map(|requirement| Window { open: open.clone(), requirement }));
    }
    found.windows.append(&mut more);
}

/// Lets a requirement ask for the first of the clauses that its own consists of, and returns what asks for the rest.
fn split(causes: &Causes<'_>, requirement: &mut Requirement) -> Vec<Requirement> {
    let mut parts = Vec::new();
    consist(causes, &requirement.first, &mut parts);
    if parts.first() == Some(&requirement.first) && parts.len() == 1 {
        return Vec::new();
    }
    requirement.told = requirement.needed().cloned();
    let mut parts = parts.into_iter();
    requirement.first = parts.next().unwrap_or_else(|| Clause(Vec::new()));
    parts.map(|first| Requirement { first, ..requirement.clone() }).collect()
}

/// Adds the clauses that a clause consists of: all of them together are as good as it.
fn consist(causes: &Causes<'_>, clause: &Clause, parts: &mut Vec<Clause>) {
    if let [moment] = clause.0.as_slice()
        && let [cause] = causes.get(moment).map_or(&[][..], Vec::as_slice)
        && cause.delay == Delay::NONE
        && !cause.after.is_empty()
    {
        for after in &cause.after {
            consist(causes, after, parts);
        }
        return;
    }
    parts.push(Clause(clause.0.iter().flat_map(|moment| alternatives(causes, moment)).collect()));
}

/// The moments any of which is as good as this one, because each of them alone brings it about at once.
fn alternatives(causes: &Causes<'_>, moment: &Moment) -> Vec<Moment> {
    let known = causes.get(moment).map_or(&[][..], Vec::as_slice);
    if known.is_empty() || !known.iter().all(|cause| cause.delay == Delay::NONE && cause.after.len() == 1) {
        return vec![moment.clone()];
    }
    let befores = known.iter().flat_map(|cause| &cause.after).flat_map(|clause| &clause.0);
    befores.flat_map(|before| alternatives(causes, before)).collect()
}
