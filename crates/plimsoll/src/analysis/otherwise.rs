//! What is found only where the cluster serves what charts ask for: it is assumed, and says so.

use super::{Settings, Verdict, find, recheck, roots};
use plimsoll_model::{Bundle, Confidence};
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
    for finding in &mut more.findings {
        finding.confidence = finding.confidence.min(Confidence::Assumed);
        finding.premise.get_or_insert_with(|| premise.to_owned());
    }
    let mut all = std::mem::take(&mut verdict.findings);
    all.append(&mut more.findings);
    verdict.findings = roots::gather(all);
    let is_idle_in_both = |pattern: &String| more.idle_assumptions.contains(pattern);
    verdict.idle_assumptions.retain(is_idle_in_both);
    Ok(())
}
