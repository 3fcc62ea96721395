//! Numbers from a fixed seed, so that a failure of a random test can be repeated.

/// A small generator whose numbers are the same everywhere.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    /// A number below a limit.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).unwrap_or_default() % limit.max(1)
    }
}
