//! Living with findings: names that last, formats for other programs, settings, and what is set aside.
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "what the tests share may fail as loudly as a test"
)]

mod allowances;
mod baseline;
mod explain;
mod externals;
mod fingerprints;
mod folder;
mod formats;
mod sarif_schema;
mod settings;
mod since;
