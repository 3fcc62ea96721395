//! How much a template may ask for, so that no chart can hold a machine.

use super::failure::Failure;
use std::time::{Duration, Instant};

/// What rendering may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// How many actions, texts and turns of loops are walked.
    pub steps: u64,
    /// How many bytes a text may have.
    pub text_bytes: usize,
    /// How many bytes all texts that are computed may have together.
    pub total_bytes: u64,
    /// How deep templates may call each other.
    pub depth: u32,
    /// How long it may last.
    pub time: Duration,
}

impl Default for Limits {
    /// Many times what the largest public charts need.
    fn default() -> Self {
        Self {
            steps: 20_000_000,
            text_bytes: 64 << 20,
            total_bytes: 4 << 30,
            depth: 1_000,
            time: Duration::from_secs(10),
        }
    }
}

/// After how many steps the clock is looked at.
const STEPS_BY_THE_CLOCK: u64 = 256;

/// What is said of a chart that lasts too long.
pub(crate) fn too_slow(limit: Duration) -> String {
    format!(
        "the chart takes longer than {} seconds to render; look for what is done too often",
        limit.as_secs()
    )
}

/// What was spent so far.
#[derive(Debug)]
pub(crate) struct Meter {
    limits: Limits,
    start: Instant,
    steps: u64,
    bytes: u64,
    depth: u32,
}

impl Meter {
    pub(crate) fn new(limits: Limits) -> Self {
        Self { limits, start: Instant::now(), steps: 0, bytes: 0, depth: 0 }
    }

    /// Counts one step.
    pub(crate) fn step(&mut self) -> Result<(), Failure> {
        self.steps += 1;
        if self.steps <= self.limits.steps {
            let is_time = self.steps.is_multiple_of(STEPS_BY_THE_CLOCK);
            return if is_time { self.check_time() } else { Ok(()) };
        }
        let limit = self.limits.steps;
        Err(Failure::limit(format!(
            "the chart takes more than {limit} steps to render; look for a loop without end"
        )))
    }

    /// Looks at the clock.
    fn check_time(&self) -> Result<(), Failure> {
        let limit = self.limits.time;
        if self.start.elapsed() <= limit { Ok(()) } else { Err(Failure::limit(too_slow(limit))) }
    }

    /// Counts a text that a function makes, before it is made.
    pub(crate) fn make(&mut self, bytes: usize) -> Result<(), Failure> {
        self.check_output(bytes)?;
        self.spend(bytes)
    }

    /// Counts what is computed.
    pub(super) fn spend(&mut self, bytes: usize) -> Result<(), Failure> {
        self.bytes = self.bytes.saturating_add(bytes as u64);
        if self.bytes <= self.limits.total_bytes {
            return Ok(());
        }
        let limit = self.limits.total_bytes >> 20;
        Err(Failure::limit(format!("the chart computes texts of more than {limit} MiB together")))
    }

    /// Whether a text is not too long.
    pub(crate) fn check_output(&self, bytes: usize) -> Result<(), Failure> {
        if bytes <= self.limits.text_bytes {
            return Ok(());
        }
        let limit = self.limits.text_bytes >> 20;
        Err(Failure::limit(format!("the chart makes a text of more than {limit} MiB")))
    }

    pub(crate) fn enter(&mut self) -> Result<(), Failure> {
        self.depth += 1;
        if self.depth <= self.limits.depth {
            return Ok(());
        }
        let limit = self.limits.depth;
        Err(Failure::limit(format!(
            "templates call each other more than {limit} levels deep; look for one that calls itself"
        )))
    }

    pub(crate) fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }
}
