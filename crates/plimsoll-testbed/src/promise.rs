//! What the real tools send, against what the promise model says they send.
//!
//! Seeded dice make [`Case`]s: files and a script of kubectl commands. A case is played by a real shell and the real
//! kubectl against a real API server, whose audit log tells which request came when. The same files and script are read
//! by `plimsoll-sources` and judged by `plimsoll-knowledge`: every order that was seen must be allowed, and everything
//! that is promised must have held. A case that contradicts is made smaller until nothing can be left out.

mod case;
mod dice;
mod failure;
mod generate;
mod helm;
mod judge;
mod kinds;
mod page;
mod play;
mod run;
mod shrink;
mod tally;
mod trace;

pub use failure::PromiseError;
pub use helm::{differences as differences_of_helm, observe as observe_helm};
pub use page::page;
pub use run::{Outcome, Wish, run};
pub use tally::Tally;
