//! Values: read, set on the command line, and brought together for every chart.

mod assignment;
mod coalesce;
mod dependencies;
mod documents;
mod failure;
mod schema;
mod source;

pub(crate) use coalesce::{Manner, coalesce_values};
pub use dependencies::is_compatible;
pub(crate) use dependencies::{ChartNode, process};
pub(crate) use documents::{is_read_otherwise, read_values};
pub use failure::ValuesFailure;
pub(crate) use schema::validate;
pub(crate) use source::{Places, user_values};
pub use source::{ValueFile, ValueSource};
