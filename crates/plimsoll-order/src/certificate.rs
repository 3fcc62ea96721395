//! Proofs that a checker can follow without trusting the analysis.
//!
//! For each set of withheld facts, everything that can happen without them. If that is closed under the rules of the
//! system and leaves a guard of the reader unmet, no run reads before its provider.

use crate::bits::Bits;
use crate::fact::Fact;
use crate::fixpoint::Fixpoint;
use crate::races::Pairs;
use crate::system::{Breach, System};
use crate::withheld::Withholding;

/// What can happen without each of up to 512 sets of facts, and what follows for requirements and windows.
#[derive(Debug, Clone)]
pub struct Certificate {
    /// The sets of withheld facts.
    pub withheld: Vec<Vec<Fact>>,
    /// For each fact, one bit for each set: whether it can happen without the set.
    pub derivable: Vec<Bits>,
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
    let pairs = Pairs::of(system);
    Withholding::new(system, all).each_block(&pairs.withheld, |block| {
        let mut claims = Vec::new();
        for (position, set) in block.sets.clone().enumerate() {
            claims.extend(pairs.pairs.get(set).iter().map(|pair| Claim {
                pair: *pair,
                set: position,
                is_held: !block.meets(system, set, system.wanted(*pair)),
            }));
        }
        take(Certificate {
            withheld: block.sets.clone().map(|set| pairs.withheld.get(set).to_vec()).collect(),
            derivable: system.facts().map(|fact| block.derivable[fact]).collect(),
            claims,
        });
    });
}
