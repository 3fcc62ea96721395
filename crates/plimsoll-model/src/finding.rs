//! What the user is told.

use crate::{Class, Code, Confidence, Gate, Milestone, ObjectId, Operation, Place, Timeline, Tool};
use std::time::Duration;

/// What the user is told about one pair of moments.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The rule that found it.
    pub rule: Code,
    /// The rule's name.
    pub name: &'static str,
    /// What kind of trouble it is.
    pub class: Class,
    /// What comes of it.
    pub consequence: Consequence,
    /// How sure it is.
    pub confidence: Confidence,
    /// The tool that permits it.
    pub tool: Tool,
    /// What is being done.
    pub operation: Operation,
    /// Pairs of one cause share this number.
    pub root: u32,
    /// The sentence that stands alone.
    pub message: String,
    /// What was taken as given, in words behind "if".
    pub premise: Option<String>,
    /// What must come first.
    pub before: End,
    /// What needs it.
    pub after: End,
    /// The order of events that fails.
    pub timeline: Timeline,
    /// Whether and how it heals.
    pub heals: Option<Healing>,
    /// What looks like a guard, and whether it is one.
    pub guard: Option<Guard>,
    /// How it can be mended.
    pub fixes: Vec<Fix>,
}

/// One end of a pair.
#[derive(Debug, Clone)]
pub struct End {
    /// The object.
    pub object: ObjectId,
    /// The milestone it must reach, or at which it needs the other end.
    pub milestone: Milestone,
    /// What produces or delivers it, nearest first.
    pub carriers: Vec<String>,
    /// Where it is written; `None` for what is outside the input.
    pub place: Option<Place>,
}

/// What comes of a race, worst last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Consequence {
    /// Heals within about a minute, and no deadline is missed.
    Noise,
    /// The run fails or waits, but the same command, unchanged, succeeds later.
    Late,
    /// Without a change it never succeeds.
    Stuck,
    /// Objects or data are lost, a security window opens, or it ends green in a wrong state.
    Damage,
}

/// How a race heals by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Healing {
    /// Who repeats.
    pub by: String,
    /// After how long, counted from the arrival of what was missing.
    pub within: Duration,
}

/// Something in the input that looks like a guard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guard {
    /// What it is.
    pub what: String,
    /// Why it does not hold.
    pub why_not: String,
}

/// How a race can be mended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// How much trust it needs.
    pub safety: Safety,
    /// What to do, in one sentence.
    pub summary: String,
    /// What it changes, as far as that is an order of moments.
    pub change: Option<Change>,
    /// Why it is not known to help; nothing if the input was analysed again with the fix made, this pair was held in
    /// every order, and nothing else failed that did not before.
    pub unchecked: Option<String>,
}

/// What a fix changes about the order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// What must come first is sent before what needs it.
    Order,
    /// What needs it is sent only behind this wait.
    Gate(Gate),
    /// A wait lasts longer.
    Patience(Duration),
    /// A wait that fails stops the script.
    Stop,
}

/// How much trust a fix needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Safety {
    /// It adds order and nothing else.
    Safe,
    /// It adds waiting, which can make a run block.
    Review,
    /// It restructures or changes behaviour.
    Manual,
}

/// Something that must be there before, and that nothing in the input delivers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Need {
    /// The object.
    pub object: ObjectId,
    /// The milestone it must have reached.
    pub milestone: Milestone,
    /// Who needs it.
    pub by: Vec<ObjectId>,
    /// What the input delivers under the same kind and name in other namespaces, where nobody can reach it from here.
    pub elsewhere: Vec<ObjectId>,
}

impl Consequence {
    /// The word for it, as in the JSON report.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Noise => "noise",
            Self::Late => "late",
            Self::Stuck => "stuck",
            Self::Damage => "damage",
        }
    }
}

impl Fix {
    /// A fix that is still to be checked, if it changes an order.
    #[must_use]
    pub fn new(safety: Safety, summary: String, change: Option<Change>) -> Self {
        let unchecked = Some("it changes more than an order; what that does is not analysed".to_owned());
        Self { safety, summary, change, unchecked }
    }
}

impl Safety {
    /// The word for it, as in the JSON report.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Review => "review",
            Self::Manual => "manual",
        }
    }
}
