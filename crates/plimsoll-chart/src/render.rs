//! Renders a chart.

mod failure;
mod release;
mod renderer;
mod rendering;
mod request;
mod scope;
mod stage;
mod watch;

pub use failure::{RenderFailure, Step};
pub use renderer::{Renderer, with_renderer};
pub use rendering::{Innermost, Origin, RenderedFile, Rendering, Site};
pub use request::{Capabilities, HelmVersion, Release, Request};

use crate::chart::Chart;

/// Renders all templates of a chart and of the charts inside that are on.
pub fn render(chart: &Chart, request: &Request) -> Result<Rendering, RenderFailure> {
    with_renderer(chart, |renderer| renderer.render(request))?
}
