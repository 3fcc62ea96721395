//! Everything that is known of a bundle: how moments come about, what needs what, and what the tools promise.

use crate::rule::Found;
use crate::view::{Scene, View};
use crate::{at_once, kinds, references, rules, tools};
use plimsoll_model::{Bundle, Cause, Deadline, Guarantee, ObjectId, Requirement, StepIndex, Window};
use std::collections::BTreeSet;

/// Everything that is known of a bundle, in the words of the reasoning.
#[derive(Debug, Default)]
pub struct Known {
    /// How each moment comes about.
    pub causes: Vec<Cause>,
    /// What must come before what.
    pub requirements: Vec<Requirement>,
    /// When a moment must not happen.
    pub windows: Vec<Window>,
    /// What the tools promise.
    pub guarantees: Vec<Guarantee>,
    /// How long the tools wait.
    pub deadlines: Vec<Deadline>,
}

/// Requests that some order of events refuses. A tool that goes on after an error does not wait for them.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Refusals(BTreeSet<(StepIndex, ObjectId)>);

impl Refusals {
    /// Adds a request; false if it was there already.
    pub fn insert(&mut self, step: StepIndex, object: ObjectId) -> bool {
        self.0.insert((step, object))
    }

    /// Whether a request may be refused.
    #[must_use]
    pub fn contains(&self, step: StepIndex, object: &ObjectId) -> bool {
        !self.0.is_empty() && self.0.contains(&(step, object.clone()))
    }
}

/// What kinds and rules say of a bundle. It does not depend on what is refused, so it is asked once.
#[must_use]
pub fn know(bundle: &Bundle, scene: Scene) -> Known {
    let view = View::new(bundle, scene);
    let mut found = Found::default();
    kinds::live(&view, &mut found);
    references::find(&view, &mut found);
    for rule in rules::RULES {
        (rule.find)(&view, &mut found);
    }
    at_once::settle(&mut found);
    Known { causes: found.causes, requirements: found.requirements, windows: found.windows, ..Known::default() }
}

/// What the tools promise, given the requests that may be refused.
#[must_use]
pub fn promise(bundle: &Bundle, scene: Scene, refusals: &Refusals) -> Known {
    let view = View::new(bundle, scene);
    let mut known = Known::default();
    tools::steps::promise(&view, refusals, &mut known);
    known
}
