//! What is built is what the real program builds.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking"
)]
#![allow(
    clippy::format_push_string,
    clippy::format_collect,
    clippy::too_many_arguments,
    reason = "text that is put together reads best in pieces"
)]

mod built;
mod compare;
mod dice;
mod files;
mod objects;
mod places;
mod random;
mod tree;
