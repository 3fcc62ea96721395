//! What is found behind a refusal. Where Helm is told of a kind or a version that nobody serves it sends nothing at all,
//! so that no other order of the release can go wrong; once that is mended, it can.

use super::{Served, Settings, Verdict, find_for, operations, roots};
use plimsoll_model::{Bundle, Class, Tool};
use plimsoll_order::Flaw;
use rustc_hash::FxHashSet;

/// The classes of what makes Helm send nothing.
pub(super) const STOPS: [Class; 2] = [Class::ApiVersionNotServed, Class::CrBeforeCrd];

/// Adds what is found where every kind and version is served, if Helm stops at one that is not.
pub(super) fn add(bundle: &Bundle, settings: &Settings, verdict: &mut Verdict) -> Result<(), Flaw> {
    let mut stops = verdict
        .findings
        .iter()
        .filter(|finding| STOPS.contains(&finding.class) && finding.tool == Tool::Helm);
    if settings.is_closed || stops.next().is_none() {
        return Ok(());
    }
    let settings = Settings { served: Served::All, ..settings.clone() };
    let known: FxHashSet<_> = verdict.findings.iter().map(roots::pair).collect();
    let mut more = find_for(bundle, &settings, &operations(bundle, &settings))?.findings;
    more.retain(|finding| !known.contains(&roots::pair(finding)));
    verdict.add_presumed(more, "what is not served is mended");
    Ok(())
}
