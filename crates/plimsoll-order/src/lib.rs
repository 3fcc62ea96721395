//! The reasoning: which orders of events a tool permits, and which of them fail.

mod bits;
mod certificate;
mod checker;
mod components;
mod deadlock;
mod draft;
mod fact;
mod fixpoint;
mod held;
mod implied;
mod lists;
mod minimal;
mod pair;
mod races;
mod repair;
mod retry;
mod system;
mod timeline;
mod times;
mod withheld;

pub use bits::Bits;
pub use certificate::{Certificate, Claim, certify};
pub use checker::{Checker, Flaw};
pub use deadlock::{Deadlock, deadlocks};
pub use draft::Draft;
pub use fact::{ClauseId, Fact};
pub use fixpoint::Fixpoint;
pub use held::{Wait, chain};
pub use races::races;
pub use repair::{Beyond, Edge, Repair, Side, repair};
pub use system::{Breach, Interval, OneShot, System};
pub use timeline::{Prefix, prefix};
pub use times::{Pace, Times};
