//! What came of a play.

use std::time::Duration;

/// What one example showed on a real cluster.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The rule's code or the row's name.
    pub subject: String,
    /// Which example.
    pub example: String,
    /// What it was to show.
    pub part: Part,
    /// What was not as the page says; nothing if all was.
    pub faults: Vec<String>,
    /// How many texts and states the page names, all of which were met if there are no faults.
    pub signs: usize,
    /// How it healed.
    pub healing: Healing,
    /// How long the play took.
    pub took: Duration,
    /// The programs it was shown on: `Kubernetes v1.36.4`.
    pub versions: String,
}

/// What an example is to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The order that fails.
    Race,
    /// The order that does not.
    Fixed,
    /// What looks alike and is no race.
    Silent,
}

/// What happened after the provider came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Healing {
    /// It was not looked at, or nothing shows it.
    Unseen,
    /// By itself, so long after the provider was there.
    Alone(Duration),
    /// When the same command was run again.
    Repeated,
    /// Not at all.
    Never,
}

impl Outcome {
    /// Whether the cluster showed what the page says.
    #[must_use]
    pub fn is_confirmed(&self) -> bool {
        self.faults.is_empty() && (self.signs > 0 || self.part != Part::Race)
    }
}
