//! How long something takes.

use std::time::Duration;

/// How long something takes: at best, usually, at worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Delay {
    /// The shortest time seen.
    pub low: Duration,
    /// The usual time.
    pub usual: Duration,
    /// The longest time to reckon with.
    pub high: Duration,
}

impl Delay {
    /// No time at all.
    pub const NONE: Self = Self { low: Duration::ZERO, usual: Duration::ZERO, high: Duration::ZERO };
}
