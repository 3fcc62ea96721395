//! Proofs that a checker can follow without trusting the analysis.
//!
//! For each set of withheld facts, what cannot happen without them. If each such event is withheld itself or waits
//! for a clause whose facts are all listed, none of them can be the first to happen; and if they leave a guard of the
//! reader unmet, no run reads before its provider.

use crate::bits::Bits;
use crate::fact::Fact;
use crate::fixpoint::Fixpoint;
use crate::system::{Breach, System};
use crate::withheld::{Query, Withholding};

/// What cannot happen without each of up to 512 sets of facts, and what follows for requirements and windows.
#[derive(Debug, Clone)]
pub struct Certificate {
    /// The sets of withheld facts.
    pub withheld: Vec<Vec<Fact>>,
    /// Facts that happen when nothing is withheld, each with one bit for each set without which it cannot.
    pub impossible: Vec<(Fact, Bits)>,
    /// What is said of each pair.
    pub claims: Vec<Claim>,
}

/// What is said of one requirement or window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claim {
    /// The requirement or window.
    pub pair: Breach,
    /// The position of its withheld facts.
    pub set: usize,
    /// Whether it is held in every run; otherwise some run breaks it.
    pub is_held: bool,
}

/// Certificates for all requirements and windows, block after block.
pub fn certify(system: &System, all: &Fixpoint, mut take: impl FnMut(Certificate)) {
    let pairs: Vec<Breach> = system.pairs().collect();
    let queries: Vec<Query> = pairs.iter().map(|pair| system.breaks(*pair)).collect();
    Withholding::new(system, all).each_block(&queries, |block| {
        let impossible = block.events.iter().map(|event| (*event, !block.derivable[*event]));
        let claim = |(number, set, is_possible): (usize, usize, bool)| {
            pairs.get(number).map(|pair| Claim { pair: *pair, set, is_held: !is_possible })
        };
        take(Certificate {
            withheld: block.groups.iter().map(|group| group.withheld().to_vec()).collect(),
            impossible: impossible.filter(|(_, bits)| *bits != Bits::NONE).collect(),
            claims: block.answers().filter_map(claim).collect(),
        });
    });
}
