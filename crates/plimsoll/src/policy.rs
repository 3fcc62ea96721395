//! What becomes of each finding: the one place that decides which are told and which fail the run.

mod fingerprint;

use fingerprint::Fingerprints;
use plimsoll_model::{Bundle, Confidence, Consequence, Finding};

/// Which findings are told, and which of them fail the run.
#[derive(Debug, Clone)]
pub(crate) struct Policy {
    /// Whether noise and guesses are told too.
    pub(crate) is_pedantic: bool,
    /// The mildest consequence that fails the run.
    pub(crate) fail_on: Consequence,
}

/// What becomes of one finding.
#[derive(Debug, Clone)]
pub(crate) struct Ruling {
    /// The name under which the finding is known from one run to the next.
    pub(crate) fingerprint: String,
    /// Whether it is told, and whether it fails the run.
    pub(crate) standing: Standing,
}

/// Whether a finding is told, and whether it fails the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// It is told and fails the run.
    Fails,
    /// It is told.
    Told,
    /// It is only counted.
    Hidden(Hidden),
}

/// Why a finding is only counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hidden {
    /// It heals within a minute.
    Noise,
    /// It is a guess.
    Guess,
}

impl Policy {
    /// Decides about every finding, in their order.
    pub(crate) fn judge(&self, bundle: &Bundle, findings: &[Finding]) -> Vec<Ruling> {
        let fingerprints = Fingerprints::new(bundle);
        let rule =
            |finding| Ruling { fingerprint: fingerprints.of(finding), standing: self.standing(finding) };
        findings.iter().map(rule).collect()
    }

    fn standing(&self, finding: &Finding) -> Standing {
        match (finding.consequence, finding.confidence) {
            (Consequence::Noise, _) if !self.is_pedantic => Standing::Hidden(Hidden::Noise),
            (_, Confidence::Heuristic) if !self.is_pedantic => Standing::Hidden(Hidden::Guess),
            (consequence, Confidence::Proved) if consequence >= self.fail_on => Standing::Fails,
            _ => Standing::Told,
        }
    }
}
