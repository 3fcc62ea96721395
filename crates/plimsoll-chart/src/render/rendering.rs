//! What came out, and where each byte of it comes from.

use super::scope::Renderable;
use crate::template::failure::Site as TemplateSite;
use crate::template::origin::{FrameIndex, Frames, Spans, ValuePlace};
use crate::template::tree::{Source, position};
use crate::values::{Places, ValueFile};
use plimsoll_model::Place;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// A rendered chart.
#[derive(Debug)]
pub struct Rendering {
    /// One for each template that is no partial, sorted by name.
    pub files: Vec<RenderedFile>,
    /// API versions that templates asked `.Capabilities.APIVersions.Has` for and were told no.
    pub unanswered: Vec<String>,
    atlas: Atlas,
    runs: Runs,
}

/// What came out of one template.
#[derive(Debug)]
pub struct RenderedFile {
    /// Helm's name for the template, as `web/templates/pod.yaml`.
    pub name: String,
    /// The text.
    pub text: String,
    pub(super) spans: Spans,
}

/// A place in a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// The name of the template that was run: Helm's name of a file, or the name of a `define`.
    pub template: String,
    /// The file below the outermost chart; `None` for a text that `tpl` was given.
    pub path: Option<Arc<str>>,
    /// The line, from 1.
    pub line: u32,
    /// The column in bytes, from 1.
    pub column: u32,
}

/// Where a byte of output comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The place that produced it first, then the calls that led there.
    pub sites: Vec<Site>,
    /// The value that was printed, if the user or a chart wrote it.
    pub value: Option<(ValueFile, Place)>,
}

/// Files and places by their names and numbers.
#[derive(Debug)]
pub(super) struct Atlas {
    places: Places,
    paths: HashMap<String, Arc<str>>,
}

impl Atlas {
    pub(super) fn new(places: Places, templates: &[Renderable]) -> Self {
        let paths = templates.iter().map(|template| (template.name.clone(), Arc::clone(&template.path)));
        Self { places, paths: paths.collect() }
    }

    pub(super) fn site_of(&self, site: &TemplateSite) -> Site {
        self.site(&site.template, &site.source.name, &site.source.text, site.offset)
    }

    fn site(&self, template: &str, source: &str, text: &str, offset: u32) -> Site {
        let (line, column) = position(text, offset);
        let path = self.paths.get(source).cloned();
        Site { template: template.to_owned(), path, line, column: column + 1 }
    }
}

/// The runs of templates, free of everything that only rendering needs.
#[derive(Debug, Default)]
struct Runs {
    sources: Vec<(String, String)>,
    runs: Vec<Run>,
}

#[derive(Debug)]
struct Run {
    template: Arc<str>,
    /// The position of its source.
    source: usize,
    caller: Option<(FrameIndex, u32)>,
    value: ValuePlace,
}

impl Runs {
    fn new(frames: &Frames) -> Self {
        let mut known: HashMap<*const Source, usize> = HashMap::new();
        let mut names: HashMap<*const u8, Arc<str>> = HashMap::new();
        let mut runs = Self::default();
        for frame in frames.iter() {
            let source = *known.entry(Rc::as_ptr(&frame.source)).or_insert_with(|| {
                runs.sources.push((frame.source.name.to_string(), frame.source.text.to_string()));
                runs.sources.len() - 1
            });
            let name = names.entry(frame.template.as_ptr()).or_insert_with(|| (&*frame.template).into());
            let template = Arc::clone(name);
            runs.runs.push(Run { template, source, caller: frame.caller, value: frame.value });
        }
        runs
    }
}

impl Rendering {
    pub(super) fn new(
        files: Vec<RenderedFile>,
        unanswered: Vec<String>,
        atlas: Atlas,
        frames: &Frames,
    ) -> Self {
        Self { files, unanswered, atlas, runs: Runs::new(frames) }
    }

    /// Where a byte of a rendered file comes from.
    #[must_use]
    pub fn origin(&self, file: &RenderedFile, position: usize) -> Option<Origin> {
        let found = file.spans.at(position)?;
        let mut sites = Vec::new();
        let mut value = found.value;
        let mut next = Some((found.frame, found.offset));
        while let Some((frame, offset)) = next {
            let run = self.runs.runs.get(frame.0 as usize)?;
            let (name, text) = self.runs.sources.get(run.source)?;
            sites.push(self.atlas.site(&run.template, name, text, offset));
            value = value.or(run.value);
            next = run.caller;
        }
        let value = self.atlas.places.get(value).map(|(file, place)| (file.clone(), place));
        Some(Origin { sites, value })
    }
}
