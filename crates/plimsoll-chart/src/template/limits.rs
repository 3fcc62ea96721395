//! How much a template may ask for, so that no chart can hold a machine.

use super::failure::Failure;

/// What rendering may cost.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// How many actions, texts and turns of loops are walked.
    pub steps: u64,
    /// How many bytes a text may have.
    pub text_bytes: usize,
    /// How many bytes all texts that are computed may have together.
    pub total_bytes: u64,
    /// How deep templates may call each other.
    pub depth: u32,
}

impl Default for Limits {
    /// Many times what the largest public charts need.
    fn default() -> Self {
        Self { steps: 20_000_000, text_bytes: 64 << 20, total_bytes: 4 << 30, depth: 1_000 }
    }
}

/// What was spent so far.
#[derive(Debug)]
pub(crate) struct Meter {
    limits: Limits,
    steps: u64,
    bytes: u64,
    depth: u32,
}

impl Meter {
    pub(crate) fn new(limits: Limits) -> Self {
        Self { limits, steps: 0, bytes: 0, depth: 0 }
    }

    /// Counts one step.
    pub(crate) fn step(&mut self) -> Result<(), Failure> {
        self.steps += 1;
        if self.steps <= self.limits.steps {
            return Ok(());
        }
        let limit = self.limits.steps;
        Err(Failure::limit(format!(
            "the chart takes more than {limit} steps to render; look for a loop without end"
        )))
    }

    /// Counts a text that a function makes, before it is made.
    pub(crate) fn make(&mut self, bytes: usize) -> Result<(), Failure> {
        self.check_output(bytes)?;
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
