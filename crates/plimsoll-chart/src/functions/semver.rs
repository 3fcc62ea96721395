//! Versions and constraints as `github.com/Masterminds/semver/v3` v3.5.0 reads them.

mod constraint;
mod version;

pub(crate) use constraint::Constraints;
pub(crate) use version::Version;
