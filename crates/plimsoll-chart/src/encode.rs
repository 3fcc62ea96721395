//! Values as YAML and JSON, written as the libraries write them that Helm uses.

pub(crate) mod json;
mod keys;
mod scalar;
pub(crate) mod toml;
pub(crate) mod yaml;
