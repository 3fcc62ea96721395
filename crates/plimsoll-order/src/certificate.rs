//! Proofs that a checker can follow without trusting the analysis.
//!
//! For each set of withheld facts, what cannot happen without them. If each such event is withheld itself or waits
//! for a clause whose facts are all listed, none of them can be the first to happen; and if they leave a guard of the
//! reader unmet, no run reads before its provider. Where the withheld facts are links of one chain, a number for each
//! event says the same for every link at once.

use crate::bits::Bits;
use crate::fact::Fact;
use crate::fixpoint::Fixpoint;
use crate::system::{Breach, System};
use crate::withheld::{Query, Withholding};

/// A proof about some requirements and windows.
#[derive(Debug, Clone)]
pub enum Certificate {
    /// About those that a single link of a chain of waits holds, or that withhold its links only.
    Chain(Chain),
    /// About those that withhold any of up to 512 sets of facts.
    Sets(Sets),
}

/// How much of a chain of waits each event needs, and what follows for requirements and windows.
#[derive(Debug, Clone)]
pub struct Chain {
    /// The links; each waits for the one before.
    pub links: Vec<Fact>,
    /// Facts that happen when nothing is withheld, each with the number of links without any of which it cannot. What
    /// is not listed needs none.
    pub levels: Vec<(Fact, u32)>,
    /// What is said of each pair; its set is the first link that it withholds.
    pub claims: Vec<Claim>,
}

/// What cannot happen without each of up to 512 sets of facts, and what follows for requirements and windows.
#[derive(Debug, Clone)]
pub struct Sets {
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

/// Certificates for all requirements and windows, one after the other.
pub fn certify(system: &System, all: &Fixpoint, mut take: impl FnMut(Certificate)) {
    let pairs: Vec<Breach> = system.pairs().collect();
    let queries: Vec<Query> = pairs.iter().map(|pair| system.breaks(*pair)).collect();
    let claim = |(number, set, is_possible): (usize, usize, bool)| {
        pairs.get(number).map(|pair| Claim { pair: *pair, set, is_held: !is_possible })
    };
    let withholding = Withholding::new(system, all);
    let answers = withholding.along_spine(&queries);
    let claims: Vec<Claim> = answers
        .filter_map(|(number, link, is_possible)| claim((number, link as usize, is_possible)))
        .collect();
    if !claims.is_empty() {
        take(Certificate::Chain(Chain { links: withholding.links(), levels: withholding.levels(), claims }));
    }
    withholding.each_block(&queries, |block| {
        take(Certificate::Sets(Sets {
            withheld: block.groups.iter().map(|group| group.withheld().to_vec()).collect(),
            impossible: block.impossible().collect(),
            claims: block.answers().filter_map(claim).collect(),
        }));
    });
}

impl Certificate {
    /// What is said of each pair.
    #[must_use]
    pub fn claims(&self) -> &[Claim] {
        match self {
            Self::Chain(chain) => &chain.claims,
            Self::Sets(sets) => &sets.claims,
        }
    }
}
