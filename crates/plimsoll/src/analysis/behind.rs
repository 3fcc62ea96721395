//! What is found behind a refusal. Where Helm is told of a version that nobody serves it sends nothing at all, so that no
//! other order of the release can go wrong; once that is mended, it can.

use super::{Settings, Verdict, find_for, operations, roots};
use plimsoll_model::{Bundle, Class, Confidence, Tool};
use plimsoll_order::Flaw;
use rustc_hash::FxHashSet;

/// Adds what is found where every version is served, if Helm stops at one that is not.
pub(super) fn add(bundle: &Bundle, settings: &Settings, verdict: &mut Verdict) -> Result<(), Flaw> {
    let mut stops = verdict
        .findings
        .iter()
        .filter(|finding| finding.class == Class::ApiVersionNotServed && finding.tool == Tool::Helm);
    if settings.is_closed || stops.next().is_none() {
        return Ok(());
    }
    let settings = Settings { serves_all: true, ..settings.clone() };
    let known: FxHashSet<_> = verdict.findings.iter().map(roots::pair).collect();
    let mut more = find_for(bundle, &settings, &operations(bundle, &settings))?.findings;
    more.retain(|finding| !known.contains(&roots::pair(finding)));
    for finding in &mut more {
        finding.confidence = finding.confidence.min(Confidence::Assumed);
        finding.premise.get_or_insert_with(|| "the version that is not served is mended".to_owned());
    }
    let mut all = std::mem::take(&mut verdict.findings);
    all.append(&mut more);
    verdict.findings = roots::gather(all);
    Ok(())
}
