//! Short ways to say what the model says at length.

use plimsoll_model::{
    Actor, Answer, Cause, Class, Clause, Code, Confidence, Deadline, Delay, Guarantee, Moment, ObjectId,
    Place, Reading, Requirement, Window,
};
use plimsoll_order::Question;
use std::time::Duration;

/// A question while it is being put together.
#[derive(Default)]
pub(crate) struct World {
    pub(crate) causes: Vec<Cause>,
    pub(crate) guarantees: Vec<Guarantee>,
    pub(crate) requirements: Vec<Requirement>,
    pub(crate) windows: Vec<Window>,
    pub(crate) deadlines: Vec<Deadline>,
    pub(crate) given: Vec<Moment>,
}

impl World {
    pub(crate) fn question(&self) -> Question<'_> {
        Question {
            causes: &self.causes,
            guarantees: &self.guarantees,
            requirements: &self.requirements,
            windows: &self.windows,
            deadlines: &self.deadlines,
            given: &self.given,
        }
    }

    pub(crate) fn causes(&mut self, moment: Moment, after: &[Clause], delay: Delay) {
        self.causes.push(Cause { moment, after: after.to_vec(), delay, carrier: None });
    }

    pub(crate) fn guarantees(&mut self, first: &[Moment], then: &[Moment]) {
        self.guarantees.push(Guarantee {
            first: first.to_vec(),
            then: then.to_vec(),
            because: "the example says so".into(),
            source: "this test",
            place: None,
        });
    }

    pub(crate) fn requires(&mut self, first: &[Moment], then: Moment, reading: Reading) {
        self.requirements.push(requirement(first, then, reading));
    }

    pub(crate) fn window(&mut self, open: &[Moment], close: &[Moment], victim: Moment) {
        let open = open.iter().cloned().map(one).collect();
        self.windows.push(Window { open, requirement: requirement(close, victim, Reading::Once) });
    }

    pub(crate) fn deadline(&mut self, start: Moment, awaited: &[Moment], within: Duration) {
        let awaited = awaited.iter().cloned().map(one).collect();
        self.deadlines.push(Deadline {
            start,
            awaited,
            within,
            place: Place::default(),
            says: String::new(),
        });
    }
}

fn requirement(first: &[Moment], then: Moment, reading: Reading) -> Requirement {
    Requirement {
        rule: Code("PLM-R000"),
        class: Class::ReferenceMissing,
        first: Clause(first.to_vec()),
        then,
        reading,
        confidence: Confidence::Proved,
        premise: None,
        place: Place::default(),
        message: String::new(),
        answer: Answer { actor: Actor::Tool, does: String::new(), text: None },
        false_guard: None,
        remedy: None,
        told: None,
        lost: Vec::new(),
    }
}

pub(crate) fn object(kind: &str, name: &str) -> ObjectId {
    ObjectId::new("", kind, Some("default"), name)
}

pub(crate) fn one(moment: Moment) -> Clause {
    Clause::one(moment)
}

pub(crate) fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}

pub(crate) fn delay(low: u64, usual: u64, high: u64) -> Delay {
    Delay { low: seconds(low), usual: seconds(usual), high: seconds(high) }
}
