//! What becomes of each finding: the one place that decides which are told and which fail the run.

mod allowance;
mod baseline;
mod date;
mod fingerprint;

pub(crate) use allowance::{Allowance, Allowances};
pub(crate) use baseline::Baseline;
pub(crate) use date::Date;

use allowance::{Remark, Weight};
use fingerprint::Fingerprints;
use plimsoll_model::{Bundle, Confidence, Consequence, Finding, Problem};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Which findings are told, and which of them fail the run.
#[derive(Debug)]
pub(crate) struct Policy {
    /// Whether noise and guesses are told too.
    pub(crate) is_pedantic: bool,
    /// The mildest consequence that fails the run; nothing if none does.
    pub(crate) fail_on: Option<Consequence>,
    /// The weakest confidence that fails the run.
    pub(crate) surest: Confidence,
    /// The weights of single rules by code; nothing for a rule that is not told.
    pub(crate) rules: BTreeMap<String, Option<Level>>,
    /// What may stay.
    pub(crate) allowances: Allowances,
    /// What was there when a baseline was written.
    pub(crate) baseline: Option<Baseline>,
    /// The names of what an earlier revision has too.
    pub(crate) earlier: Option<FxHashSet<String>>,
    /// Whether what was set aside and need not be fails the run.
    pub(crate) refuses_stale: bool,
}

/// What becomes of all findings.
#[derive(Debug, Default)]
pub(crate) struct Judgement {
    /// What becomes of each, in their order.
    pub(crate) rulings: Vec<Ruling>,
    /// What was meant to set findings aside and does not.
    pub(crate) problems: Vec<Problem>,
    /// How much of that fails the run.
    pub(crate) stale: usize,
}

/// What becomes of one finding.
#[derive(Debug, Clone)]
pub(crate) struct Ruling {
    /// The name under which the finding is known from one run to the next.
    pub(crate) fingerprint: String,
    /// Whether it is told, and whether it fails the run.
    pub(crate) standing: Standing,
    /// What allows it.
    pub(crate) allowance: Option<Allowance>,
}

/// Whether a finding is told, and whether it fails the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// It is told with this weight.
    Told(Level),
    /// It is only counted.
    Hidden(Hidden),
}

/// How much weight a finding has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    /// It is noise or a guess.
    Note,
    /// It is told and does not fail the run.
    Warning,
    /// It fails the run.
    Error,
}

/// Why a finding is only counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hidden {
    /// It heals within a minute.
    Noise,
    /// It is a guess.
    Guess,
    /// Its rule is switched off.
    Off,
    /// It may stay.
    Allowed,
    /// It is in the baseline.
    Known,
    /// An earlier revision has it too.
    Earlier,
}

impl Policy {
    /// Decides about every finding.
    pub(crate) fn judge(&self, bundle: &Bundle, findings: &[Finding]) -> Judgement {
        let fingerprints = Fingerprints::new(bundle);
        let mut used: Vec<usize> = Vec::new();
        let mut rule = |finding| {
            let covering = self.allowances.covering(bundle, finding);
            let allowed = covering.iter().copied().find(|number| self.allowances.holds(*number));
            used.extend(covering);
            let fingerprint = fingerprints.of(finding);
            let standing = match self.standing(finding) {
                _ if allowed.is_some() => Standing::Hidden(Hidden::Allowed),
                Standing::Told(level) => {
                    self.known(&fingerprint).map_or(Standing::Told(level), Standing::Hidden)
                }
                hidden @ Standing::Hidden(_) => hidden,
            };
            let allowance = allowed.and_then(|number| self.allowances.get(number)).cloned();
            Ruling { fingerprint, standing, allowance }
        };
        let rulings: Vec<Ruling> = findings.iter().map(&mut rule).collect();
        used.sort_unstable();
        used.dedup();
        let mut remarks = self.allowances.remarks(bundle, &used);
        // What could not be read may hold what seems to be gone.
        if !bundle.problems.iter().any(|problem| problem.is_fatal) {
            let gone = self.baseline.as_ref().and_then(|baseline| Some((baseline, baseline.gone(&rulings)?)));
            remarks.extend(
                gone.map(|(baseline, cause)| Remark::stale(baseline.path().display().to_string(), cause)),
            );
        }
        let is_stale = |remark: &&Remark| self.refuses_stale && remark.weight == Weight::Stale;
        let stale = remarks.iter().filter(is_stale).count();
        Judgement { rulings, problems: remarks.into_iter().map(Remark::problem).collect(), stale }
    }

    /// Why a finding of this name is nothing new.
    fn known(&self, fingerprint: &str) -> Option<Hidden> {
        if self.baseline.as_ref().is_some_and(|baseline| baseline.has(fingerprint)) {
            return Some(Hidden::Known);
        }
        self.earlier.as_ref().is_some_and(|earlier| earlier.contains(fingerprint)).then_some(Hidden::Earlier)
    }

    fn standing(&self, finding: &Finding) -> Standing {
        let Finding { consequence, confidence, .. } = *finding;
        let (is_noise, is_guess) = (consequence == Consequence::Noise, confidence == Confidence::Heuristic);
        let is_failing =
            self.fail_on.is_some_and(|mildest| consequence >= mildest) && confidence >= self.surest;
        match self.rules.get(finding.rule.0) {
            Some(None) => Standing::Hidden(Hidden::Off),
            Some(Some(level)) => Standing::Told(*level),
            None if is_noise && !self.is_pedantic => Standing::Hidden(Hidden::Noise),
            None if is_failing => Standing::Told(Level::Error),
            None if is_guess && !self.is_pedantic => Standing::Hidden(Hidden::Guess),
            None if is_noise || is_guess => Standing::Told(Level::Note),
            None => Standing::Told(Level::Warning),
        }
    }
}

impl Judgement {
    /// Whether the run fails.
    pub(crate) fn fails(&self) -> bool {
        self.stale > 0 || self.rulings.iter().any(|ruling| ruling.standing == Standing::Told(Level::Error))
    }
}

impl Level {
    /// The word for it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    fn check(change: impl Fn(&mut Policy), finding: impl Fn(&mut Finding), expected: Standing) {
        let mut policy = sample::policy();
        change(&mut policy);
        let mut found = sample::mount();
        finding(&mut found);
        assert_eq!(policy.standing(&found), expected, "{policy:?}");
    }

    #[test]
    fn a_finding_stands_by_consequence_confidence_and_rule() {
        let late = |_: &mut Finding| ();
        let noise = |finding: &mut Finding| finding.consequence = Consequence::Noise;
        let guess = |finding: &mut Finding| finding.confidence = Confidence::Heuristic;
        let assumed = |finding: &mut Finding| finding.confidence = Confidence::Assumed;
        check(|_| (), late, Standing::Told(Level::Error));
        check(|_| (), noise, Standing::Hidden(Hidden::Noise));
        check(|_| (), guess, Standing::Hidden(Hidden::Guess));
        check(|_| (), assumed, Standing::Told(Level::Warning));
        check(|policy| policy.is_pedantic = true, noise, Standing::Told(Level::Note));
        check(|policy| policy.is_pedantic = true, guess, Standing::Told(Level::Note));
        check(|policy| policy.fail_on = None, late, Standing::Told(Level::Warning));
        check(|policy| policy.fail_on = Some(Consequence::Stuck), late, Standing::Told(Level::Warning));
        check(|policy| policy.surest = Confidence::Assumed, assumed, Standing::Told(Level::Error));
        check(|policy| policy.surest = Confidence::Assumed, guess, Standing::Hidden(Hidden::Guess));
        let weigh = |level| {
            move |policy: &mut Policy| policy.rules = BTreeMap::from([("PLM-R012".to_owned(), level)])
        };
        check(weigh(None), late, Standing::Hidden(Hidden::Off));
        check(weigh(Some(Level::Error)), noise, Standing::Told(Level::Error));
        check(weigh(Some(Level::Note)), late, Standing::Told(Level::Note));
    }
}
