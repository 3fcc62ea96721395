//! What can be wrong with a proof.

use crate::fact::Fact;
use crate::system::Breach;
use std::fmt;

/// A proof that does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flaw {
    /// The order given is no run of the system from this event on.
    NoRun(Fact),
    /// An event is said to be impossible without a reason.
    NotImpossible(Fact),
    /// The facts that the certificate withholds are not those that the pair is about.
    WrongFacts(Breach),
    /// The certificate does not show that the pair is held.
    NotHeld(Breach),
    /// The pair is said to be broken, and no run that breaks it was shown.
    NotShown(Breach),
    /// A timeline lets an event happen that still waits, or that must not have happened.
    DoesNotReplay(Breach, Fact),
    /// A timeline ends before its failure.
    DoesNotFail(Breach),
    /// Nothing was said about the pair.
    Silent(Breach),
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRun(fact) => write!(f, "the run cannot go on with event {}", fact.0),
            Self::NotImpossible(fact) => write!(f, "event {} is called impossible without a reason", fact.0),
            Self::WrongFacts(pair) => write!(f, "{pair:?} is about other facts than those withheld"),
            Self::NotHeld(pair) => write!(f, "{pair:?} is not shown to be held"),
            Self::NotShown(pair) => write!(f, "no run is shown that breaks {pair:?}"),
            Self::DoesNotReplay(pair, fact) => {
                write!(f, "event {} of {pair:?} cannot happen in its turn", fact.0)
            }
            Self::DoesNotFail(pair) => write!(f, "the timeline of {pair:?} ends before its failure"),
            Self::Silent(pair) => write!(f, "nothing is proved about {pair:?}"),
        }
    }
}

impl std::error::Error for Flaw {}
