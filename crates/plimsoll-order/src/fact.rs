//! Facts, clauses of facts, and columns with one entry for each.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// Something that has happened once its event has: event and fact share one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Fact(pub u32);

/// An OR of facts, by its number in the system. Equal clauses have equal numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ClauseId(pub u32);

/// One entry for each fact.
pub(crate) type PerFact<T> = Column<Fact, T>;

/// One entry for each clause.
pub(crate) type PerClause<T> = Column<ClauseId, T>;

/// One entry for each `K`.
#[derive(Debug, Clone)]
pub(crate) struct Column<K, T> {
    entries: Vec<T>,
    key: PhantomData<K>,
}

/// The numbers that a column can be read by.
pub(crate) trait Number: Copy {
    /// The position in the column.
    fn position(self) -> usize;
}

impl Number for Fact {
    fn position(self) -> usize {
        self.0 as usize
    }
}

impl Number for ClauseId {
    fn position(self) -> usize {
        self.0 as usize
    }
}

impl<K, T: Clone> Column<K, T> {
    /// The same entry for all of `count`.
    pub(crate) fn all(entry: T, count: usize) -> Self {
        Self::from(vec![entry; count])
    }
}

impl<K, T> From<Vec<T>> for Column<K, T> {
    fn from(entries: Vec<T>) -> Self {
        Self { entries, key: PhantomData }
    }
}

impl<K: Number, T> Index<K> for Column<K, T> {
    type Output = T;

    #[expect(
        clippy::indexing_slicing,
        reason = "only the system that sized the column hands out its numbers"
    )]
    fn index(&self, key: K) -> &T {
        &self.entries[key.position()]
    }
}

impl<K: Number, T> IndexMut<K> for Column<K, T> {
    #[expect(
        clippy::indexing_slicing,
        reason = "only the system that sized the column hands out its numbers"
    )]
    fn index_mut(&mut self, key: K) -> &mut T {
        &mut self.entries[key.position()]
    }
}
