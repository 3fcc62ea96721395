//! The one shape of a rule, and how it states a requirement.

use crate::View;
use plimsoll_model::{
    Actor, Answer, Cause, Class, Clause, Code, Confidence, Delay, Milestone, Moment, ObjectId, Place,
    Premise, Reading, Requirement, Window,
};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Finds requirements in objects; has a code and a page.
#[derive(Debug)]
pub struct Rule {
    /// The code, never used for anything else: `PLM-R012`.
    pub code: Code,
    /// The wrong order in words; reads after "allow".
    pub name: &'static str,
    /// The kind of trouble it finds, unless a requirement says otherwise.
    pub class: Class,
    /// The page: what it finds, what happens, examples that are executed.
    pub page: &'static str,
    /// States every requirement it knows of.
    pub(crate) find: fn(&View<'_>, &mut Found),
}

/// What rules and kinds have found out about a bundle.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) causes: Vec<Cause>,
    pub(crate) requirements: Vec<Requirement>,
    pub(crate) windows: Vec<Window>,
    /// What makes what at run time. Lives say it; all rules share it.
    carriers: Arc<FxHashMap<ObjectId, Vec<ObjectId>>>,
}

/// A requirement while it is being stated; nothing is lost if a word is left out.
#[must_use]
pub(crate) struct Statement(Requirement);

impl Rule {
    /// States that `first` must be reached before `then`. Only this stamps the rule's code.
    pub(crate) fn requires(&self, first: impl Into<Clause>, then: Moment) -> Statement {
        Statement(Requirement {
            rule: self.code,
            class: self.class,
            first: first.into(),
            told: None,
            then,
            lost: Vec::new(),
            reading: Reading::Once,
            confidence: Confidence::Proved,
            premise: None,
            place: Place::default(),
            message: String::new(),
            answer: Answer { actor: Actor::ApiServer, does: String::new(), text: None },
            false_guard: None,
            remedy: None,
        })
    }
}

impl Statement {
    /// How the reader reads; once, unless said.
    pub(crate) fn read(mut self, reading: Reading) -> Self {
        self.0.reading = reading;
        self
    }

    /// The moment a user is told of, where `first` is only what can be held against the order.
    pub(crate) fn told(mut self, moment: Moment) -> Self {
        self.0.told = Some(moment);
        self
    }

    /// What a miss takes away, where that is neither the reader nor what a refused request loses.
    pub(crate) fn loses(mut self, moment: Moment) -> Self {
        self.0.lost.push(moment);
        self
    }

    /// The kind of trouble, where it is another than the rule's own.
    pub(crate) fn class(mut self, class: Class) -> Self {
        self.0.class = class;
        self
    }

    /// How sure it is; proved, unless said.
    pub(crate) fn sure(mut self, confidence: Confidence) -> Self {
        self.0.confidence = confidence;
        self
    }

    /// What has to be true for the need to exist; then it is not proved.
    pub(crate) fn given(mut self, premise: Option<Arc<Premise>>) -> Self {
        if premise.is_some() {
            self.0.confidence = self.0.confidence.min(Confidence::Assumed);
        }
        self.0.premise = premise;
        self
    }

    /// Where the need is written.
    pub(crate) fn at(mut self, place: Place) -> Self {
        self.0.place = place;
        self
    }

    /// The need as a sentence without the order: "Deployment/default/web mounts Secret/default/web-tls".
    pub(crate) fn says(mut self, message: impl Into<String>) -> Self {
        self.0.message = message.into();
        self
    }

    /// Who reads, what it does, and the exact text that is seen when it fails.
    pub(crate) fn answered(mut self, actor: Actor, does: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        self.0.answer = Answer { actor, does: does.into(), text: (!text.is_empty()).then_some(text) };
        self
    }

    /// Something that looks like a guard and is none, with the reason.
    pub(crate) fn despite(mut self, false_guard: Option<String>) -> Self {
        self.0.false_guard = false_guard;
        self
    }

    /// What to do about it, where another order alone does not help.
    pub(crate) fn mended(mut self, remedy: impl Into<String>) -> Self {
        self.0.remedy = Some(remedy.into());
        self
    }

    /// Adds the requirement.
    pub(crate) fn push(self, found: &mut Found) {
        found.requirements.push(self.0);
    }

    /// Adds it as a window: it counts only once everything in `open` has happened.
    pub(crate) fn push_window(self, open: Vec<Clause>, found: &mut Found) {
        found.windows.push(Window { open, requirement: self.0 });
    }
}

impl Found {
    /// A place of its own for one rule, from which it sees the lives and not the other rules.
    pub(crate) fn apart(&self) -> Self {
        Self { carriers: Arc::clone(&self.carriers), ..Self::default() }
    }

    /// Adds what was found apart.
    pub(crate) fn join(&mut self, apart: Vec<Self>) {
        self.requirements.reserve_exact(apart.iter().map(|one| one.requirements.len()).sum());
        for mut one in apart {
            self.causes.append(&mut one.causes);
            self.requirements.append(&mut one.requirements);
            self.windows.append(&mut one.windows);
        }
    }

    /// The objects of the bundle that make this one at run time.
    pub(crate) fn carriers(&self, brought: &ObjectId) -> &[ObjectId] {
        self.carriers.get(brought).map_or(&[], Vec::as_slice)
    }

    /// Whether an object makes another at run time.
    pub(crate) fn is_brought_by(&self, brought: &ObjectId, carrier: &ObjectId) -> bool {
        self.carriers(brought).contains(carrier)
    }

    /// Whether any object of the bundle makes this one at run time.
    pub(crate) fn is_brought(&self, brought: &ObjectId) -> bool {
        !self.carriers(brought).is_empty()
    }

    /// Adds that a carrier makes another object at run time, once everything in `after` has happened.
    pub(crate) fn bring(&mut self, brought: &ObjectId, carrier: &ObjectId, after: Vec<Clause>, delay: Delay) {
        Arc::make_mut(&mut self.carriers).entry(brought.clone()).or_default().push(carrier.clone());
        let moment = brought.at(Milestone::Stored);
        self.causes.push(Cause { moment, after, delay, carrier: Some(carrier.clone()) });
    }

    /// Adds one way in which a moment comes about.
    pub(crate) fn cause(&mut self, moment: Moment, after: Vec<Clause>, delay: Delay) {
        self.causes.push(Cause { moment, after, delay, carrier: None });
    }
}
