//! Many short lists in two flat arrays, so that walking all of them is one walk through memory.

use std::ops::Range;

/// A list for each number from 0 on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Lists<T> {
    /// Where each list ends in `items`; the first entry is 0, so list `n` lies between entries `n` and `n + 1`.
    ends: Vec<u32>,
    items: Vec<T>,
}

impl<T> Lists<T> {
    /// No lists.
    pub(crate) fn new() -> Self {
        Self { ends: vec![0], items: Vec::new() }
    }

    /// Adds a list and returns its number.
    pub(crate) fn push(&mut self, list: impl IntoIterator<Item = T>) -> u32 {
        let number = self.len();
        self.items.extend(list);
        self.ends.push(narrow(self.items.len()));
        narrow(number)
    }

    /// How many lists there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len() - 1
    }

    /// The list of a number; empty if there is none.
    pub(crate) fn get(&self, number: u32) -> &[T] {
        self.range(number).and_then(|range| self.items.get(range)).unwrap_or_default()
    }

    /// Every list in turn.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[T]> {
        self.ends
            .array_windows()
            .map(|&[start, end]| self.items.get(start as usize..end as usize).unwrap_or_default())
    }

    fn range(&self, number: u32) -> Option<Range<usize>> {
        let number = number as usize;
        Some(*self.ends.get(number)? as usize..*self.ends.get(number + 1)? as usize)
    }
}

impl<T: Copy> Lists<T> {
    /// Sorts pairs of a number and an item into one list for each number below `count`, keeping their order.
    pub(crate) fn grouped(count: usize, pairs: &[(u32, T)]) -> Self {
        let mut ends = vec![0u32; count + 1];
        for (number, _) in pairs {
            if let Some(end) = ends.get_mut(*number as usize + 1) {
                *end += 1;
            }
        }
        let mut total = 0;
        for end in &mut ends {
            total += *end;
            *end = total;
        }
        let mut next = ends.clone();
        let mut items = pairs.first().map_or_else(Vec::new, |(_, item)| vec![*item; total as usize]);
        for (number, item) in pairs {
            let Some(place) = next.get_mut(*number as usize) else {
                continue;
            };
            if let Some(slot) = items.get_mut(*place as usize) {
                *slot = *item;
            }
            *place += 1;
        }
        Self { ends, items }
    }
}

/// A count as the 32-bit number that the flat arrays hold.
pub(crate) fn narrow(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
