//! Readers: what people have becomes a [`plimsoll_model::Bundle`].
//!
//! [`read`] is the door. A [`Reading`] collects what the readers find; they reach files only through a [`Host`].
//! Nothing here fails: what cannot be read becomes a problem of the bundle, with its place and the next step.

mod chart;
mod claim;
mod definition;
#[cfg(test)]
mod dice;
mod draft;
mod encoding;
mod host;
mod ignored;
mod input;
mod installed;
mod kustomization;
mod live;
mod manifests;
mod operators;
mod pages;
mod read;
mod reading;
mod scope;
mod script;
mod search;

pub use host::{Disk, Entry, EntryKind, Host, Memory, Refusal};
pub use input::{ChartInput, Input, Offered, Renderers, Values};
pub use live::Live;
pub use read::read;
pub use reading::{Reading, STANDARD_INPUT};
pub use search::{Habit, Search};
