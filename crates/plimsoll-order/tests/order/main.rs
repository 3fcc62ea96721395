//! The reasoning, by examples and against second opinions.

#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test may panic, and says how much it has looked at"
)]

mod against_enumeration;
mod against_refusals;
mod blocks;
mod enumeration;
mod in_words;
mod questions;
mod random;
mod refusals;
mod words;
