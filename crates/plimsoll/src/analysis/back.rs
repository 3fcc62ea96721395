//! What is found on the way back to the deployment before.

use super::{Settings, Verdict, find_for, recheck, roots};
use plimsoll_model::{Bundle, Operation};
use plimsoll_order::Flaw;

/// Adds the findings of a rollback, if one is asked about and it is known where it leads.
pub(super) fn add(bundle: &Bundle, settings: &Settings, verdict: &mut Verdict) -> Result<(), Flaw> {
    let is_asked = settings.operations.contains(&Operation::Rollback);
    let Some(back) = bundle.turned_back().filter(|_| is_asked) else { return Ok(()) };
    let settings = Settings { operations: vec![Operation::Rollback], ..settings.clone() };
    let mut found = find_for(&back, &settings, &settings.operations)?;
    recheck::fixes(&back, &settings, &mut found)?;
    if verdict.understood == 0 || verdict.needs.is_empty() {
        verdict.needs = found.needs;
        verdict.held += found.held;
    }
    let mut all = std::mem::take(&mut verdict.findings);
    all.append(&mut found.findings);
    verdict.findings = roots::gather(all);
    Ok(())
}
