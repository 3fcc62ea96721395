//! What each tool promises about order, read from its own source.

pub(crate) mod gates;
pub(crate) mod kubectl;
pub(crate) mod skipped;
pub(crate) mod steps;
