//! What is known already: a baseline, and what an earlier revision has too.

use super::arguments::CheckArguments;
use crate::analysis::Settings;
use crate::commands::answer;
use crate::config::Config;
use crate::failure::Failure;
use crate::input;
use crate::output;
use crate::policy::{Baseline, Judgement, Policy, Standing};
use crate::revision::Revision;
use plimsoll_model::{Bundle, Finding};
use rustc_hash::FxHashSet;

/// The names of what is told in an earlier revision.
pub(super) fn earlier(
    arguments: &CheckArguments,
    (config, settings): (&Config, &Settings),
    bundle: &mut Bundle,
) -> Result<Option<FxHashSet<String>>, Failure> {
    let Some(name) = &arguments.known.since else { return Ok(None) };
    if input::reads_standard_input(&arguments.input, &arguments.world.from) {
        return Err(Failure::usage("--since has nothing to compare the standard input with")
            .hint("name files or folders of the repository"));
    }
    let mut old = answer::read(&arguments.input, &arguments.world, &Revision::open(name)?)?;
    let verdict = answer::find(&mut old, settings)?;
    if old.problems.iter().any(|problem| problem.is_fatal) {
        let cause = format!(
            "not all of the revision `{name}` could be read: what is told may have been there before"
        );
        bundle.problems.push(input::remark(cause));
    }
    let judgement = arguments.policy(config, &old).judge(&old, &verdict.findings);
    let told = judgement.rulings.into_iter().filter(|ruling| matches!(ruling.standing, Standing::Told(_)));
    Ok(Some(told.map(|ruling| ruling.fingerprint).collect()))
}

/// The baseline that is to be used.
pub(super) fn baseline(arguments: &CheckArguments) -> Result<Option<Baseline>, Failure> {
    match &arguments.known.baseline {
        Some(_) if arguments.known.write_baseline => Ok(None),
        Some(path) => Baseline::read(path).map(Some),
        None if arguments.known.write_baseline || arguments.known.update_baseline => {
            Err(Failure::usage("no file is named for the baseline").hint("name it with --baseline FILE"))
        }
        None => Ok(None),
    }
}

/// Writes the baseline where that is asked for, and decides anew.
pub(super) fn ratchet(
    arguments: &CheckArguments,
    policy: &mut Policy,
    (bundle, findings): (&Bundle, &[Finding]),
    judgement: Judgement,
) -> Result<Judgement, Failure> {
    let Some(path) = arguments
        .known
        .baseline
        .as_ref()
        .filter(|_| arguments.known.write_baseline || arguments.known.update_baseline)
    else {
        return Ok(judgement);
    };
    if bundle.problems.iter().any(|problem| problem.is_fatal) {
        return Err(Failure::usage("the baseline is left as it is: not everything could be read")
            .hint("without --write-baseline and --update-baseline, the report says what could not be"));
    }
    let next = match policy.baseline.take() {
        Some(baseline) => baseline.without_gone(&judgement.rulings),
        None => Baseline::of(path, findings, &judgement.rulings),
    };
    let text = next.text().map_err(|error| Failure::output("cannot write the baseline", &error))?;
    output::save(next.path(), &text)?;
    policy.baseline = Some(next);
    Ok(policy.judge(bundle, findings))
}
