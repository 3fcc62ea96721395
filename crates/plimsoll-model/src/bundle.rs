//! Everything that was read for one question.

use crate::{Action, FileIndex, Files, Object, ObjectId, Otherwise, Place, Step, StepIndex, Unit};

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
    /// The deployment that the cluster has before this one; its files stand among those of this bundle.
    pub before: Option<Box<Bundle>>,
    /// What operators that are not in the input are taken to define, for kinds that it uses.
    pub outside: Vec<Outside>,
    /// What lies beside the manifests and says how they are applied.
    pub pages: Vec<Page>,
}

/// A page of instructions or a script that lies beside manifests and that nobody named.
#[derive(Debug, Clone)]
pub struct Page {
    /// The files that each of its commands sends, in its order.
    pub commands: Vec<Vec<FileIndex>>,
}

/// A definition that nothing in the input brings and that is taken to be on the cluster.
#[derive(Debug, Clone)]
pub struct Outside {
    /// The definition; its premise names the operator.
    pub definition: Object,
    /// The chart that brings it, and its version.
    pub chart: (String, String),
    /// Whether somebody said that it is this version.
    pub is_said: bool,
    /// Whether the user said that it is there before.
    pub is_there: bool,
    /// The object of the input for which another tool installs it.
    pub installer: Option<ObjectId>,
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

    /// The same, where the cluster serves every API that charts ask for and that may be served; nothing if that makes
    /// no difference.
    #[must_use]
    pub fn otherwise(&self) -> Option<Self> {
        let is_other = |step: &Step| matches!(&step.action, Action::Deliver(Unit { otherwise: Some(_), .. }));
        if !self.steps.iter().any(is_other) {
            return None;
        }
        let mut other = self.clone();
        for step in &mut other.steps {
            if let Action::Deliver(unit) = &mut step.action
                && let Some(Otherwise { objects, .. }) = unit.otherwise.take()
            {
                unit.objects = objects;
            }
        }
        Some(other)
    }

    /// The way back: to the deployment before, from this one.
    #[must_use]
    pub fn turned_back(&self) -> Option<Self> {
        let before = self.before.as_deref()?;
        let from = Self { steps: self.steps.clone(), ..Self::default() };
        Some(Self { steps: before.steps.clone(), before: Some(Box::new(from)), ..self.clone() })
    }

    /// The APIs that charts ask for, that may be served, and on which it hangs what they bring.
    pub fn asked(&self) -> impl Iterator<Item = &str> {
        let units = self.steps.iter().filter_map(|step| match &step.action {
            Action::Deliver(unit) => unit.otherwise.as_ref(),
            _ => None,
        });
        units.flat_map(|otherwise| &otherwise.served).map(String::as_str)
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
