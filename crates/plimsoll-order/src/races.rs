//! Which requirements some run reads too early, and which windows some run falls into.
//!
//! A requirement is the first thing to fail in some run exactly if all guards of its reader can be met where nothing
//! fails and its provider is withheld. A window catches its victim in some run exactly if the same is true of the
//! window's opening and the victim's guards, with the closing and the victim withheld. If no pair passes its test,
//! no run fails.

use crate::fact::Fact;
use crate::fixpoint::Fixpoint;
use crate::system::{Breach, System};
use crate::withheld::{Query, Withholding};

/// Every requirement and window that some run breaks first, in their order.
#[must_use]
pub fn races(system: &System, all: &Fixpoint) -> Vec<Breach> {
    let pairs: Vec<Breach> = system.pairs().collect();
    let queries: Vec<Query> = pairs.iter().map(|pair| system.breaks(*pair)).collect();
    let answers = Withholding::new(system, all).answer(&queries);
    pairs.into_iter().zip(answers).filter(|(_, is_broken)| *is_broken).map(|(pair, _)| pair).collect()
}

/// Which of these pairs recover: the provider can still come about although what the breach takes away never does.
pub(crate) fn recovering(
    system: &System,
    all: &Fixpoint,
    pairs: &[Breach],
    lost: impl Fn(Breach) -> Vec<Fact>,
) -> Vec<bool> {
    let query = |pair: &Breach| Query { withheld: lost(*pair), wanted: vec![system.provider(*pair)] };
    Withholding::new(system, all).answer(&pairs.iter().map(query).collect::<Vec<_>>())
}
