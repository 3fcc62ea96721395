//! What a block of withheld facts makes a difference to, and the answers for it.

use crate::bits::Bits;
use crate::lists::narrow;

/// The events behind some withheld facts, by their positions in an order. Memory is used by the events in the wake,
/// but for one number for each position.
pub(crate) struct Wake {
    /// For each position, where its event stands in the wake.
    slots: Vec<Option<Slot>>,
    events: Vec<Awake>,
    /// How many of `events` have been followed.
    followed: usize,
    /// Positions behind the wake, too far ahead to matter so far.
    ahead: Vec<u32>,
}

/// A position in the wake, plus one.
type Slot = std::num::NonZeroU32;

struct Awake {
    place: u32,
    /// The sets that withhold the event.
    withheld: Bits,
    /// The sets without which it can happen.
    derivable: Bits,
}

impl Wake {
    /// An empty wake in an order of `count` events.
    pub(crate) fn new(count: usize) -> Self {
        Self { slots: vec![None; count], events: Vec::new(), followed: 0, ahead: Vec::new() }
    }

    /// Says that a set withholds the event at a position.
    pub(crate) fn withhold(&mut self, place: u32, set: usize) {
        self.include(place);
        let slot = self.slot(place);
        if let Some(event) = slot.and_then(|slot| self.events.get_mut(slot)) {
            event.withheld.set(set);
        }
    }

    /// Takes in whatever follows, up to an end. Returns whether anything was new.
    pub(crate) fn spread<I: Iterator<Item = u32>>(&mut self, end: u32, followers: impl Fn(u32) -> I) -> bool {
        let before = self.followed;
        for place in std::mem::take(&mut self.ahead) {
            self.meet(place, end);
        }
        while let Some(event) = self.events.get(self.followed) {
            self.followed += 1;
            for place in followers(event.place) {
                self.meet(place, end);
            }
        }
        self.followed > before
    }

    fn meet(&mut self, place: u32, end: u32) {
        if place < end {
            self.include(place);
        } else {
            self.ahead.push(place);
        }
    }

    /// Puts the events into the order of their positions.
    pub(crate) fn sort(&mut self) {
        self.events.sort_unstable_by_key(|event| event.place);
        for (slot, event) in (1..).zip(&self.events) {
            if let Some(entry) = self.slots.get_mut(event.place as usize) {
                *entry = Slot::new(slot);
            }
        }
    }

    /// Empties the wake.
    pub(crate) fn clear(&mut self) {
        for event in self.events.drain(..) {
            if let Some(entry) = self.slots.get_mut(event.place as usize) {
                *entry = None;
            }
        }
        self.followed = 0;
        self.ahead.clear();
    }

    /// How many events are in the wake.
    pub(crate) fn len(&self) -> usize {
        self.events.len()
    }

    /// The positions of the events in the wake.
    pub(crate) fn places(&self) -> impl Iterator<Item = u32> {
        self.events.iter().map(|event| event.place)
    }

    /// The position of an event of the wake, and the sets that do not withhold it.
    pub(crate) fn allowed(&self, slot: usize) -> (u32, Bits) {
        self.events.get(slot).map_or((0, Bits::NONE), |event| (event.place, !event.withheld))
    }

    /// The sets without which the event at a position can happen.
    pub(crate) fn derivable(&self, place: u32) -> Bits {
        self.slot(place).and_then(|slot| self.events.get(slot)).map_or(Bits::ALL, |event| event.derivable)
    }

    /// Notes without which sets an event of the wake can happen; returns whether that is new.
    pub(crate) fn derive(&mut self, slot: usize, bits: Bits) -> bool {
        let event = self.events.get_mut(slot);
        event.is_some_and(|event| std::mem::replace(&mut event.derivable, bits) != bits)
    }

    fn slot(&self, place: u32) -> Option<usize> {
        self.slots.get(place as usize).copied().flatten().map(|slot| slot.get() as usize - 1)
    }

    /// Takes an event in, unless it is there.
    fn include(&mut self, place: u32) {
        if let Some(entry @ None) = self.slots.get_mut(place as usize) {
            self.events.push(Awake { place, withheld: Bits::NONE, derivable: Bits::NONE });
            *entry = Slot::new(narrow(self.events.len()));
        }
    }
}
