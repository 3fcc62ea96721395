//! What is known of Kubernetes and of the tools that deploy to it.
//!
//! [`know`] asks every kind for its life, every rule for its requirements, and the tools what they guarantee. Nothing here decides whether there is a race, and nothing here formats a report.

mod alternatives;
mod always;
mod apart;
mod at_once;
mod clocks;
mod definers;
mod delays;
mod injectors;
mod kinds;
mod known;
mod left;
pub mod page;
mod pod_security;
mod producers;
mod products;
mod read;
mod references;
mod rule;
mod rules;
#[cfg(test)]
mod sample;
mod shelf;
mod tools;
mod view;
pub mod witness;

pub use always::is_always_there;
pub use apart::{Folders, Site, is_by_others, is_told_to_others};
pub use known::{Known, ask_apart, know};
pub use left::Left;
pub use references::Reference;
pub use rule::Rule;
pub use shelf::shelf;
pub use tools::helm::{Phase, Phases, Timetable};
pub use tools::is_repeated_otherwise;
pub use tools::kubectl::fix::{Broken, Sending, fix};
pub use tools::kubectl::prune::{Pruned, pruned};
pub use view::{Scene, View};

/// Every rule, by code.
#[must_use]
pub fn rules() -> &'static [&'static Rule] {
    rules::RULES
}

/// Reads the large tables, which takes a while. Whoever needs one that is not read yet does it then.
pub fn prepare() {
    references::prepare();
    definers::prepare();
    products::prepare();
}

/// Every row of the reference table.
pub fn references() -> impl Iterator<Item = Reference<'static>> {
    references::all()
}

/// The names of all rows of the reference table.
pub fn reference_ids() -> impl Iterator<Item = String> {
    references::ids()
}
