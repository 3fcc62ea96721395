//! What may stay: a rule, where it is allowed, the reason, and until when.
//!
//! One grammar for three carriers: an annotation of an object, a comment in a file, an entry of the settings.

mod annotations;
mod comments;
mod grammar;
mod settings;
mod shelf;

pub(crate) use shelf::Allowances;

use super::date::Date;
use crate::input;
use crate::object_pattern::ObjectPattern;
use plimsoll_model::{Files, ObjectId, Place, Problem};

/// What may stay.
#[derive(Debug, Clone)]
pub(crate) struct Allowance {
    /// The code of the rule.
    pub(crate) rule: String,
    /// Why.
    pub(crate) reason: String,
    /// The last day on which it holds.
    pub(crate) until: Option<Date>,
    /// Where it was said.
    said: SaidAt,
    /// What it covers.
    covers: Covers,
}

/// Where something was allowed.
#[derive(Debug, Clone)]
enum SaidAt {
    /// In the input.
    Input(Place),
    /// In another file: `.plimsoll.yaml:3:1`.
    Outside(String),
}

/// What an allowance covers.
#[derive(Debug, Clone)]
enum Covers {
    /// Pairs of which one end is this object, or comes from it.
    Object(ObjectId),
    /// Pairs of which one end stands on one of these lines of the file in which it was said.
    Lines(Vec<u32>),
    /// Pairs of which one end is called so.
    Pattern(ObjectPattern),
}

/// Something that was meant to allow and cannot be taken, or allows nothing any more.
#[derive(Debug, Clone)]
pub(super) struct Remark {
    /// Where it was said.
    said: SaidAt,
    /// What is wrong with it.
    cause: String,
    /// What comes of it.
    pub(super) weight: Weight,
}

/// What comes of a remark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    /// It is said.
    Note,
    /// It is said, and fails the run where nothing may be stale.
    Stale,
    /// What was meant is not known, so that the answer may be wrong.
    Wrong,
}

impl Remark {
    /// Something outside the input that need not be any more.
    pub(super) fn stale(origin: String, cause: String) -> Self {
        Self { said: SaidAt::Outside(origin), cause, weight: Weight::Stale }
    }

    /// The remark as it is reported.
    pub(super) fn problem(self) -> Problem {
        let is_fatal = self.weight == Weight::Wrong;
        match self.said {
            SaidAt::Input(place) => Problem { place, cause: self.cause, is_fatal },
            SaidAt::Outside(origin) => {
                Problem { is_fatal, ..input::remark(format!("{origin}: {}", self.cause)) }
            }
        }
    }
}

impl Allowance {
    /// Where it was said: `k8s/web.yaml:4:3`.
    pub(crate) fn origin(&self, files: &Files) -> String {
        match &self.said {
            SaidAt::Input(place) => format!("{}:{}:{}", files.path(*place), place.line, place.column),
            SaidAt::Outside(origin) => origin.clone(),
        }
    }

    /// Whether it stands beside what it allows.
    pub(crate) fn is_in_source(&self) -> bool {
        matches!(self.said, SaidAt::Input(_))
    }
}
