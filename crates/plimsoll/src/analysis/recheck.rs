//! Every fix that changes an order is made, and the input analysed again, before it is said to help.

use super::{Settings, Verdict, mended};
use plimsoll_model::{Bundle, Change, Finding, Fix, ObjectId, Safety};
use plimsoll_order::Flaw;
use std::collections::BTreeSet;

/// How much is looked at again: objects times fixes.
const EFFORT: usize = 5_000;

const TOO_LARGE: &str = "the input is too large to analyse it again for every fix";

/// What tells one pair from another.
type Pair = (String, ObjectId, ObjectId);

/// Notes for every fix why it is not known to help, if it is not; then it is not called safe either. What claims to be
/// safe is looked at first.
pub(super) fn fixes(bundle: &Bundle, settings: &Settings, verdict: &mut Verdict) -> Result<(), Flaw> {
    let mut left = EFFORT;
    let before: BTreeSet<Pair> = verdict.findings.iter().map(pair).collect();
    let cost = bundle.coverage.objects.max(1);
    for claims_safety in [true, false] {
        for finding in &mut verdict.findings {
            let mut fixes = std::mem::take(&mut finding.fixes);
            for fix in fixes.iter_mut().filter(|fix| (fix.safety == Safety::Safe) == claims_safety) {
                let Some(change) = &fix.change else { continue };
                fix.unchecked = if left < cost {
                    Some(TOO_LARGE.to_owned())
                } else {
                    left -= cost;
                    doubt(bundle, settings, (finding, change), &before)?
                };
                lower(fix);
            }
            finding.fixes = fixes;
        }
    }
    Ok(())
}

/// What is not known to help needs a person who looks at it.
fn lower(fix: &mut Fix) {
    if fix.safety == Safety::Safe && fix.unchecked.is_some() {
        fix.safety = Safety::Review;
    }
}

/// Why a change does not mend a pair, or not without breaking another one; nothing if it does.
fn doubt(
    bundle: &Bundle,
    settings: &Settings,
    (finding, change): (&Finding, &Change),
    before: &BTreeSet<Pair>,
) -> Result<Option<String>, Flaw> {
    let changed = match mended::with(bundle, finding, change) {
        Ok(changed) => changed,
        Err(why) => return Ok(Some(why.to_owned())),
    };
    let again = super::find(&changed, settings)?.findings;
    if again.iter().any(|one| pair(one) == pair(finding)) {
        return Ok(Some("analysed again, this alone is not enough: the same pair still fails".to_owned()));
    }
    let new = again.iter().find(|one| !before.contains(&pair(one)));
    Ok(new.map(|new| format!("analysed again, something else then fails: {}", new.message)))
}

fn pair(finding: &Finding) -> Pair {
    (finding.rule.0.to_owned(), finding.before.object.clone(), finding.after.object.clone())
}
