//! A renderer for Helm charts: every byte of its output knows the template line it came from.
//!
//! [`Chart`] reads a folder or archive, [`render`] makes a [`Rendering`] of it for a [`Request`]; a [`Renderer`] does so
//! again and again.

mod chart;
mod clock;
mod encode;
mod functions;
mod glob;
mod known;
mod lookup;
mod manifest;
mod objects;
mod read;
mod render;
mod template;
mod values;

pub use chart::{Chart, ChartFailure, ChartFile, Content, Dependency, DiskFolder, Entry, Folder, Metadata};
pub use lookup::{Answers, LookUp};
pub use manifest::Manifest;
pub use render::{
    Capabilities, HelmVersion, Innermost, Origin, Release, RenderFailure, RenderedFile, Renderer, Rendering,
    Request, Site, Step, render, with_renderer,
};
pub use template::limits::Limits;
pub use values::{ValueFile, ValueSource, ValuesFailure, is_compatible};
