//! What is found only where the cluster serves what charts ask for: it is assumed, and says so.

use super::{Settings, Verdict, find, recheck, roots};
use plimsoll_model::Bundle;
use plimsoll_order::Flaw;
use rustc_hash::FxHashSet;

/// Adds the findings of the other bundle that the first one does not have.
pub(super) fn add(
    other: &Bundle,
    premise: &str,
    settings: &Settings,
    verdict: &mut Verdict,
) -> Result<(), Flaw> {
    let known: FxHashSet<_> = verdict.findings.iter().map(roots::pair).collect();
    let mut more = find(other, settings)?;
    more.findings.retain(|finding| !known.contains(&roots::pair(finding)));
    recheck::fixes(other, settings, &mut more)?;
    verdict.add_presumed(std::mem::take(&mut more.findings), premise);
    let is_idle_in_both = |pattern: &String| more.idle_assumptions.contains(pattern);
    verdict.idle_assumptions.retain(is_idle_in_both);
    Ok(())
}
