//! What is told about a bundle, before any format: which findings are shown, and which of them fail the run.

mod duration;
mod fingerprint;
pub(crate) mod json;
pub(crate) mod manifest;
mod place;
pub(crate) mod problem;
pub(crate) mod rule_page;
pub(crate) mod text;
pub(crate) mod why_not;
pub(crate) mod witnessed;

#[cfg(test)]
mod sample;

use crate::analysis::Verdict;
use plimsoll_model::{Action, Bundle, Confidence, Consequence, Finding, Object};
use std::collections::BTreeMap;

/// A bundle, the answer to it, and how much of the answer is told.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Report<'a> {
    /// What was read.
    pub(crate) bundle: &'a Bundle,
    /// What was found.
    pub(crate) verdict: &'a Verdict,
    /// What is told of it.
    pub(crate) policy: Policy,
}

/// Which findings are told, and which of them fail the run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Policy {
    /// Whether noise and guesses are told too.
    pub(crate) is_pedantic: bool,
    /// Whether objects are shown as they were rendered.
    pub(crate) shows_rendered: bool,
    /// The mildest consequence that fails the run.
    pub(crate) fail_on: Consequence,
}

impl Policy {
    /// Whether a finding is told.
    pub(crate) fn shows(self, finding: &Finding) -> bool {
        self.is_pedantic
            || (finding.consequence > Consequence::Noise && finding.confidence > Confidence::Heuristic)
    }

    /// Whether a finding fails the run: only what is proved does.
    pub(crate) fn fails(self, finding: &Finding) -> bool {
        finding.confidence == Confidence::Proved && finding.consequence >= self.fail_on
    }
}

impl<'a> Report<'a> {
    /// What has to be true for objects that are taken as given, and how many of them hang on it.
    pub(crate) fn assumed(&self) -> BTreeMap<&str, usize> {
        let mut premises = BTreeMap::new();
        for object in assumed(self.bundle) {
            let says = object.premise.as_ref().map_or("", |premise| premise.says.as_str());
            *premises.entry(says).or_default() += 1;
        }
        premises
    }

    /// The findings that are told, worst first.
    pub(crate) fn shown(&self) -> impl Iterator<Item = &'a Finding> {
        let policy = self.policy;
        self.verdict.findings.iter().filter(move |finding| policy.shows(finding))
    }

    /// Whether any finding fails the run.
    pub(crate) fn fails(&self) -> bool {
        self.verdict.findings.iter().any(|finding| self.policy.fails(finding))
    }

    /// Whether something could not be read, so that the answer may be wrong.
    pub(crate) fn is_incomplete(&self) -> bool {
        self.is_empty() || self.bundle.problems.iter().any(|problem| problem.is_fatal)
    }

    /// Whether the input does nothing to a cluster, so that there is nothing to judge.
    pub(crate) fn is_empty(&self) -> bool {
        self.bundle.steps.iter().all(|step| match &step.action {
            Action::Deliver(unit) => unit.objects.is_empty(),
            Action::Remove(_) | Action::Opaque(_) => false,
            Action::Wait(_) | Action::Sleep(_) => true,
        })
    }
}

/// The objects that are delivered only if something is true that the input does not say.
pub(crate) fn assumed(bundle: &Bundle) -> impl Iterator<Item = &Object> {
    let units = bundle.steps.iter().filter_map(|step| match &step.action {
        Action::Deliver(unit) => Some(unit),
        _ => None,
    });
    units.flat_map(|unit| {
        let ours = |object: &&Object| object.premise.is_some();
        let known: Vec<&Object> = unit.objects.iter().filter(ours).collect();
        let otherwise = unit.otherwise.iter().flat_map(|otherwise| &otherwise.objects).filter(ours);
        let more: Vec<&Object> =
            otherwise.filter(|object| known.iter().all(|known| known.id != object.id)).collect();
        known.into_iter().chain(more)
    })
}
