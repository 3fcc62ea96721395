//! The reasoning: which orders of moments a tool permits, and which of them fail.
//!
//! A [`Question`] says how moments come about, what the tool guarantees, and who needs what. [`Order`] answers it: the
//! [`Race`]s and how each unfolds, what is [`Stuck`], which deadlines are missed, why a pair is held, and the smallest
//! repair. It knows no kind, no field and no tool.
//!
//! Underneath, moments are numbered [`facts`] and the answers are least fixpoints: exact, polynomial, without search.
//! Every answer has a proof that an independent checker follows.

mod bits;
mod certificate;
mod checker;
mod compile;
mod components;
mod course;
mod deadline;
mod deadlock;
mod draft;
mod fact;
mod fixpoint;
mod flaw;
mod held;
mod implied;
mod link;
mod lists;
mod minimal;
mod names;
mod order;
mod pair;
mod question;
mod race;
mod races;
mod repair;
mod retry;
mod spine;
mod stuck;
mod system;
mod timeline;
mod times;
mod wake;
mod withheld;

pub use course::{Course, Reached};
pub use deadline::Due;
pub use flaw::Flaw;
pub use link::{Ground, Link};
pub use order::Order;
pub use question::Question;
pub use race::Race;
pub use repair::{Beyond, Edge, Repair, Side};
pub use stuck::{Stuck, Waiting};
pub use system::Breach;

/// The same reasoning on bare numbers, without moments.
pub mod facts {
    pub use crate::bits::Bits;
    pub use crate::certificate::{Certificate, Chain, Claim, Sets, certify};
    pub use crate::checker::{Checker, replay};
    pub use crate::deadlock::{Deadlock, deadlocks};
    pub use crate::draft::Draft;
    pub use crate::fact::{ClauseId, Fact};
    pub use crate::fixpoint::Fixpoint;
    pub use crate::flaw::Flaw;
    pub use crate::held::{Wait, chain};
    pub use crate::races::races;
    pub use crate::repair::{Beyond, Edge, Repair, Side, repair};
    pub use crate::system::{Breach, Interval, OneShot, System};
    pub use crate::timeline::{Prefix, prefix};
    pub use crate::times::{Pace, Times};
}
