//! Random sketches from a seed, and smaller ones that still show the same disagreement.

use crate::enumeration::{Mask, Need, Sketch, Window, facts};

/// A small generator of numbers (`SplitMix64`): the same seed gives the same numbers everywhere.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ mixed >> 31) % limit as u64).unwrap()
    }

    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One to three events below a limit.
    pub(crate) fn clause(&mut self, limit: usize) -> Mask {
        let width = [1, 1, 1, 2, 2, 3][self.below(6)];
        (0..width).fold(0, |mask, _| mask | 1 << self.below(limit))
    }
}

impl Sketch {
    /// Six to ten events, acyclic or cyclic, up to seven requirements, up to two windows.
    pub(crate) fn random(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let count = 6 + dice.below(5);
        let (is_cyclic, density) = (dice.chance(35), 30 + dice.below(60));
        let mut sketch = Self { guards: vec![Vec::new(); count], ..Self::default() };
        for event in 0..count {
            let limit = if is_cyclic && dice.chance(30) { count } else { event };
            for _ in 0..3 {
                if limit > 0 && dice.chance(density) {
                    let clause = dice.clause(limit);
                    sketch.guards[event].push(clause);
                }
            }
        }
        if dice.chance(15) {
            sketch.absent |= 1 << dice.below(count);
        }
        for _ in 0..dice.below(8) {
            let consumer = dice.below(count);
            let limit = if dice.chance(80) && consumer > 0 { consumer } else { count };
            let provider = if dice.chance(3) { 0 } else { dice.clause(limit) };
            sketch.needs.push(Need { consumer, provider, stops: dice.chance(80) });
        }
        for _ in 0..[0, 0, 0, 1, 1, 2][dice.below(6)] {
            let open = (0..=dice.below(2)).map(|_| dice.clause(count)).collect();
            sketch.windows.push(Window { open, close: dice.clause(count), victim: dice.below(count) });
        }
        sketch
    }

    /// The smallest sketch, by leaving out one part after the other, that still fails.
    pub(crate) fn shrink(mut self, fails: impl Fn(&Self) -> bool) -> Self {
        while let Some(smaller) = self.smaller().into_iter().find(|smaller| fails(smaller)) {
            self = smaller;
        }
        self
    }

    fn smaller(&self) -> Vec<Self> {
        let mut found = Vec::new();
        let mut without = |change: &dyn Fn(&mut Self)| {
            let mut smaller = self.clone();
            change(&mut smaller);
            found.push(smaller);
        };
        (0..self.needs.len()).for_each(|number| without(&|sketch| drop(sketch.needs.drain(number..=number))));
        (0..self.windows.len())
            .for_each(|number| without(&|sketch| drop(sketch.windows.drain(number..=number))));
        for event in self.events() {
            for clause in 0..self.guards[event].len() {
                without(&|sketch| drop(sketch.guards[event].drain(clause..=clause)));
                let alternatives = facts(self.guards[event][clause]);
                for fact in alternatives.iter().filter(|_| alternatives.len() > 1) {
                    without(&|sketch| sketch.guards[event][clause] &= !(1 << fact.0));
                }
            }
        }
        if self.absent != 0 {
            without(&|sketch| sketch.absent = 0);
        }
        found
    }
}
