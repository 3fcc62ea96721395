//! Which requirements some run reads too early, and which windows some run falls into.
//!
//! A requirement is the first thing to fail in some run exactly if all guards of its reader can be met where nothing
//! fails and its provider is withheld. A window catches its victim in some run exactly if the same is true of the
//! window's opening and the victim's guards, with the closing and the victim withheld. If no pair passes its test,
//! no run fails.

use crate::fact::{ClauseId, Fact};
use crate::fixpoint::Fixpoint;
use crate::lists::Lists;
use crate::system::{Breach, System};
use crate::withheld::{Query, Withholding};

/// Every requirement and window that some run breaks first, in their order.
#[must_use]
pub fn races(system: &System, all: &Fixpoint) -> Vec<Breach> {
    let pairs = Pairs::of(system);
    let mut found = Vec::new();
    Withholding::new(system, all).each_block(&pairs.withheld, |block| {
        for set in block.sets.clone() {
            let breaks = |pair: &&Breach| block.meets(system, set, system.wanted(**pair));
            found.extend(pairs.pairs.get(set).iter().filter(breaks));
        }
    });
    found.sort_unstable();
    found
}

/// Requirements and windows, those with the same withheld facts together.
pub(crate) struct Pairs {
    /// The sets of withheld facts.
    pub(crate) withheld: Lists<Fact>,
    /// What is asked of each set.
    pub(crate) pairs: Lists<Breach>,
}

impl Pairs {
    /// All requirements and windows of a system.
    pub(crate) fn of(system: &System) -> Self {
        let mut numbered: Vec<(ClauseId, usize)> =
            system.one_shots.iter().map(|one_shot| one_shot.provider).zip(0..).collect();
        numbered.sort_unstable();
        let (mut withheld, mut pairs) = (Lists::new(), Lists::new());
        for group in numbered.chunk_by(|one, next| one.0 == next.0) {
            let provider = group.first().map_or(&[][..], |(provider, _)| system.clause(*provider));
            withheld.push(provider.iter().copied());
            pairs.push(group.iter().map(|(_, number)| Breach::Requirement(*number)));
        }
        for number in 0..system.intervals.len() {
            withheld.push(system.withheld(Breach::Window(number)));
            pairs.push([Breach::Window(number)]);
        }
        Self { withheld, pairs }
    }
}

/// Which of these pairs recover: the provider can still come about if the reader never does.
pub(crate) fn recovering(system: &System, all: &Fixpoint, pairs: &[Breach]) -> Vec<bool> {
    let queries = pairs
        .iter()
        .map(|pair| Query { withheld: vec![system.consumer(*pair)], wanted: vec![system.provider(*pair)] });
    Withholding::new(system, all).answer(&queries.collect::<Vec<_>>())
}
