//! Renders a chart.

mod failure;
mod release;
mod rendering;
mod request;
mod scope;

pub use failure::{RenderFailure, Step};
pub use rendering::{Innermost, Origin, RenderedFile, Rendering, Site};
pub use request::{Capabilities, HelmVersion, Release, Request};

use crate::chart::Chart;
use std::thread;

/// Room for templates that call each other, and for values deep in each other; only what is used is taken.
const STACK_BYTES: usize = 512 << 20;

/// Renders all templates of a chart and of the charts inside that are on.
pub fn render(chart: &Chart, request: &Request) -> Result<Rendering, RenderFailure> {
    thread::scope(|scope| {
        let work = thread::Builder::new().name("chart".to_owned()).stack_size(STACK_BYTES);
        let handle = work
            .spawn_scoped(scope, || release::run(chart, request))
            .map_err(|error| RenderFailure::Unavailable { cause: error.to_string() })?;
        handle
            .join()
            .unwrap_or_else(|_| Err(RenderFailure::Unavailable { cause: "the renderer stopped".to_owned() }))
    })
}
