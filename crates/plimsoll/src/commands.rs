//! One file for each command.

mod answer;
mod check;
mod config;
mod explain;
mod render;

pub(crate) use check::{CheckArguments, check};
pub(crate) use config::{ConfigCommand, config};
pub(crate) use explain::{ExplainArguments, explain};
pub(crate) use render::{RenderArguments, render};
