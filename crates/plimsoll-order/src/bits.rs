//! 512 answers side by side.

use std::ops::{BitAndAssign, BitOrAssign, Not};

/// One bit for each of 512 questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bits([u64; 8]);

impl Bits {
    /// How many questions fit.
    pub const WIDTH: usize = 512;
    /// No bit set.
    pub const NONE: Self = Self([0; 8]);
    /// Every bit set.
    pub const ALL: Self = Self([u64::MAX; 8]);

    /// Turns one bit to its opposite.
    pub fn flip(&mut self, bit: usize) {
        if let Some(word) = self.0.get_mut(bit / 64) {
            *word ^= 1 << (bit % 64);
        }
    }

    /// Sets one bit.
    pub fn set(&mut self, bit: usize) {
        if let Some(word) = self.0.get_mut(bit / 64) {
            *word |= 1 << (bit % 64);
        }
    }

    /// Whether one bit is set.
    #[must_use]
    pub fn has(&self, bit: usize) -> bool {
        self.0.get(bit / 64).is_some_and(|word| word >> (bit % 64) & 1 == 1)
    }
}

impl BitAndAssign for Bits {
    fn bitand_assign(&mut self, other: Self) {
        for (mine, its) in self.0.iter_mut().zip(other.0) {
            *mine &= its;
        }
    }
}

impl BitOrAssign for Bits {
    fn bitor_assign(&mut self, other: Self) {
        for (mine, its) in self.0.iter_mut().zip(other.0) {
            *mine |= its;
        }
    }
}

impl Not for Bits {
    type Output = Self;

    fn not(self) -> Self {
        Self(self.0.map(Not::not))
    }
}
