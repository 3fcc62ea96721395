//! Named points in an object's life, and the moments at which they are reached.

use crate::{ObjectId, StepIndex};
use std::fmt;

/// A named, observable point in the life of an object, a request or a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Milestone {
    /// The tool has sent the request.
    Submitted,
    /// The tool has mapped or dry-run the object.
    Checked,
    /// The API server has stored it.
    Stored,
    /// Its controller has acted on it; for a workload, its pods exist.
    Observed,
    /// A CRD's names are accepted and its API is served.
    Established,
    /// Clients find its API by discovery.
    Discoverable,
    /// A claim has its volume, a pod its node.
    Bound,
    /// Containers run.
    Started,
    /// It reports itself ready.
    Ready,
    /// It answers requests.
    Serving,
    /// It has finished with success.
    Complete,
    /// It is deleted and its name is free.
    Gone,
}

/// An object, request or step at a milestone: `crd.at(Established)`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment {
    /// What reaches the milestone.
    pub subject: Subject,
    /// The milestone.
    pub milestone: Milestone,
}

/// What a moment is about.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// An object, whoever delivers it.
    Object(ObjectId),
    /// One step's request for an object. An object that two steps deliver has two of them.
    Request(StepIndex, ObjectId),
    /// A step as a whole: it is `Started`, and `Complete` when it ended with success, `Gone` when it ended at all;
    /// `Checked` when a script looked whether to run it and passed it over.
    Step(StepIndex),
}

impl Milestone {
    /// The word for it, as in the JSON report.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Submitted => "submitted",
            Self::Checked => "checked",
            Self::Stored => "stored",
            Self::Observed => "observed",
            Self::Established => "established",
            Self::Discoverable => "discoverable",
            Self::Bound => "bound",
            Self::Started => "started",
            Self::Ready => "ready",
            Self::Serving => "serving",
            Self::Complete => "complete",
            Self::Gone => "gone",
        }
    }

    /// Every milestone, in the order of a life.
    pub const ALL: [Self; 12] = [
        Self::Submitted,
        Self::Checked,
        Self::Stored,
        Self::Observed,
        Self::Established,
        Self::Discoverable,
        Self::Bound,
        Self::Started,
        Self::Ready,
        Self::Serving,
        Self::Complete,
        Self::Gone,
    ];
}

impl Moment {
    /// One step's request for an object at a milestone.
    #[must_use]
    pub fn request(step: StepIndex, object: &ObjectId, milestone: Milestone) -> Self {
        Self { subject: Subject::Request(step, object.clone()), milestone }
    }

    /// A step at a milestone.
    #[must_use]
    pub fn step(step: StepIndex, milestone: Milestone) -> Self {
        Self { subject: Subject::Step(step), milestone }
    }

    /// The step whose request, or which itself, reaches the milestone.
    #[must_use]
    pub fn step_index(&self) -> Option<StepIndex> {
        match self.subject {
            Subject::Request(step, _) | Subject::Step(step) => Some(step),
            Subject::Object(_) => None,
        }
    }

    /// The object it is about, if it is not about a whole step.
    #[must_use]
    pub fn object(&self) -> Option<&ObjectId> {
        match &self.subject {
            Subject::Object(id) | Subject::Request(_, id) => Some(id),
            Subject::Step(_) => None,
        }
    }
}

impl fmt::Display for Milestone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl fmt::Debug for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.subject {
            Subject::Object(id) => write!(f, "{id}@{}", self.milestone),
            Subject::Request(step, id) => write!(f, "{id}@{} by step {}", self.milestone, step.0),
            Subject::Step(step) => write!(f, "step {}@{}", step.0, self.milestone),
        }
    }
}
