//! Everything that was read for one question.

use crate::{Action, Files, Object, Place, Step, StepIndex};

/// Everything read for one question: steps with their objects, and what could not be read.
#[derive(Debug, Clone, Default)]
pub struct Bundle {
    /// The files that were read.
    pub files: Files,
    /// What is done, in the order of reading.
    pub steps: Vec<Step>,
    /// What could not be read or understood.
    pub problems: Vec<Problem>,
    /// How much was read.
    pub coverage: Coverage,
}

/// Something that could not be read, with its place and cause.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// Where.
    pub place: Place,
    /// Why, in words for a user, with the next step to take.
    pub cause: String,
    /// Whether the answer may be wrong because of it. Others are only worth saying.
    pub is_fatal: bool,
}

/// How much of the input was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Coverage {
    /// Kubernetes objects that were read.
    pub objects: usize,
    /// Steps or folders whose content is not known.
    pub opaque: usize,
    /// YAML documents that are not Kubernetes objects.
    pub foreign: usize,
}

impl Bundle {
    /// Every delivered object with the step that delivers it, in the order of the steps.
    pub fn deliveries(&self) -> impl Iterator<Item = (StepIndex, &Object)> {
        self.numbered_steps().flat_map(|(index, step)| {
            let objects: &[Object] = match &step.action {
                Action::Deliver(unit) => &unit.objects,
                _ => &[],
            };
            objects.iter().map(move |object| (index, object))
        })
    }

    /// Every step with its index.
    pub fn numbered_steps(&self) -> impl Iterator<Item = (StepIndex, &Step)> {
        (0u32..).map(StepIndex).zip(&self.steps)
    }

    /// The step at an index.
    #[must_use]
    pub fn step(&self, index: StepIndex) -> Option<&Step> {
        self.steps.get(index.0 as usize)
    }
}
