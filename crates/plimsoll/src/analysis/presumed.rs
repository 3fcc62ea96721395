//! What follows from a refusal that is only assumed. The refusal is told; that more follows from it is a guess.

use super::{Served, Settings, Verdict, behind, find_for, operations, roots};
use plimsoll_model::{Bundle, Confidence, Finding};
use plimsoll_order::Flaw;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Marks what is not found, or not as bad, where nothing is refused but what is proved to be.
pub(super) fn mark(bundle: &Bundle, settings: &Settings, verdict: &mut Verdict) -> Result<(), Flaw> {
    let is_presumed = |finding: &&Finding| {
        finding.confidence != Confidence::Proved && behind::STOPS.contains(&finding.class)
    };
    let refusals = verdict.findings.iter().filter(is_presumed);
    let premises: BTreeSet<&str> = refusals.filter_map(|finding| finding.premise.as_deref()).collect();
    if premises.is_empty() {
        return Ok(());
    }
    let premise = Vec::from_iter(premises).join(", and ");
    let settings = Settings { served: Served::UnlessProved, ..settings.clone() };
    let sure = find_for(bundle, &settings, &operations(bundle, &settings))?.findings;
    let mut sure: FxHashMap<_, Finding> =
        sure.into_iter().map(|finding| (roots::pair(&finding), finding)).collect();
    let mut findings = std::mem::take(&mut verdict.findings);
    for finding in findings.iter_mut().filter(|finding| finding.confidence == Confidence::Proved) {
        match sure.remove(&roots::pair(finding)) {
            // As bad without the refusal, and then nothing is said that follows from it.
            Some(sure) if sure.consequence == finding.consequence => *finding = sure,
            _ => {
                finding.confidence = Confidence::Heuristic;
                finding.premise = Some(premise.clone());
            }
        }
    }
    verdict.findings = roots::gather(findings);
    Ok(())
}
