//! What is told about a bundle, before any format.

mod duration;
pub(crate) mod explained;
pub(crate) mod format;
mod github;
mod json;
mod junit;
pub(crate) mod manifest;
mod place;
pub(crate) mod problem;
mod root;
pub(crate) mod rule_page;
mod sarif;
pub(crate) mod text;
pub(crate) mod why_not;
pub(crate) mod witnessed;

#[cfg(test)]
pub(crate) mod sample;

use crate::analysis::Verdict;
use crate::policy::{Allowance, Hidden, Judgement, Level, Ruling, Standing};
use plimsoll_model::{Action, Bundle, Finding, Object};
use std::collections::BTreeMap;

/// A bundle, the answer to it, and how much of the answer is told.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Report<'a> {
    /// What was read.
    pub(crate) bundle: &'a Bundle,
    /// What was found.
    pub(crate) verdict: &'a Verdict,
    /// What becomes of each finding.
    pub(crate) judgement: &'a Judgement,
    /// Whether objects are shown as they were rendered.
    pub(crate) shows_rendered: bool,
}

/// A finding that is told.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Told<'a> {
    /// What was found.
    pub(crate) finding: &'a Finding,
    /// The name under which it is known from one run to the next.
    pub(crate) fingerprint: &'a str,
    /// How much weight it has.
    pub(crate) level: Level,
}

impl Told<'_> {
    /// Whether it fails the run.
    pub(crate) fn fails(&self) -> bool {
        self.level == Level::Error
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
    pub(crate) fn told(&self) -> impl Iterator<Item = Told<'a>> {
        self.ruled().filter_map(|(finding, ruling)| match ruling.standing {
            Standing::Told(level) => Some(Told { finding, fingerprint: &ruling.fingerprint, level }),
            Standing::Hidden(_) => None,
        })
    }

    /// The findings that may stay, with their names and what allows them.
    pub(crate) fn allowed(&self) -> impl Iterator<Item = (&'a Finding, &'a str, &'a Allowance)> {
        let allowed = |ruling: &'a Ruling| Some((ruling.fingerprint.as_str(), ruling.allowance.as_ref()?));
        self.ruled().filter_map(move |(finding, ruling)| {
            let (fingerprint, allowance) = allowed(ruling)?;
            Some((finding, fingerprint, allowance))
        })
    }

    /// How many findings are hidden for a reason.
    pub(crate) fn hidden(&self, reason: Hidden) -> usize {
        self.judgement.rulings.iter().filter(|ruling| ruling.standing == Standing::Hidden(reason)).count()
    }

    fn ruled(&self) -> impl Iterator<Item = (&'a Finding, &'a Ruling)> {
        self.verdict.findings.iter().zip(&self.judgement.rulings)
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
