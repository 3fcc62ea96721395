//! Real operators on a real node, and what happens to those who come before they are ready. One cluster for all.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking"
)]

mod certificate_too_late;
mod flux;
mod pod_security;
mod stage;
mod version_not_served;
mod waits;
mod webhook_too_late;
