//! What came out, and where each byte of it comes from.

use super::failure::RenderFailure;
use super::request::HelmVersion;
use super::scope::Renderable;
use crate::chart::ChartFile;
use crate::lookup::LookUp;
use crate::template::failure::Site as TemplateSite;
use crate::template::origin::{FrameIndex, Frames, Spans, ValuePlace};
use crate::template::tree::{Source, position};
use crate::values::{Places, ValueFile};
use memchr::memchr_iter;
use plimsoll_model::Place;
use std::collections::HashMap;
use std::sync::Arc;

/// A rendered chart.
#[derive(Debug)]
pub struct Rendering {
    /// One for each template that is no partial, sorted by name.
    pub files: Vec<Arc<RenderedFile>>,
    /// API versions that templates asked `.Capabilities.APIVersions` for and were told no.
    pub unanswered: Vec<String>,
    /// What templates looked up without an answer.
    pub looked_up: Vec<LookUp>,
    /// The files below `crds/` of all charts that are on, each with its path below the outermost chart.
    pub definitions: Vec<(String, ChartFile)>,
    /// Why files were left out, if they may be.
    pub left_out: Vec<RenderFailure>,
    /// Which Helm it is rendered for.
    pub(crate) helm: HelmVersion,
    atlas: Arc<Atlas>,
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

/// The innermost place of a file that led to a byte of output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Innermost<'r> {
    /// The file below the outermost chart.
    pub path: &'r Arc<str>,
    /// The line, from 1.
    pub line: u32,
    /// The column in bytes, from 1.
    pub column: u32,
    /// The value that was printed, if the user or a chart wrote it.
    pub value: Option<(&'r ValueFile, Place)>,
}

/// Files and places by their names and numbers.
#[derive(Debug)]
pub(super) struct Atlas {
    places: Places,
    paths: HashMap<String, Arc<str>>,
}

impl Atlas {
    pub(super) fn new(places: Places, templates: &[Renderable<'_>]) -> Self {
        let paths = templates.iter().map(|template| (template.name.clone(), Arc::clone(&template.path)));
        Self { places, paths: paths.collect() }
    }

    pub(super) fn site_of(&self, site: &TemplateSite) -> Site {
        self.site(&site.template, &site.source.name, position(&site.source.text, site.offset))
    }

    fn site(&self, template: &str, source: &str, (line, column): (u32, u32)) -> Site {
        Site { template: template.to_owned(), path: self.path(source), line, column: column + 1 }
    }

    /// The file below the outermost chart that a source is, if it is one.
    fn path(&self, source: &str) -> Option<Arc<str>> {
        self.paths.get(source).cloned()
    }
}

/// The runs of templates, free of everything that only rendering needs.
#[derive(Debug, Default)]
struct Runs {
    sources: Vec<Lines>,
    runs: Vec<Run>,
}

/// Where the lines of a source begin, so that a place is found without reading it again.
#[derive(Debug)]
struct Lines {
    path: Option<Arc<str>>,
    starts: Vec<u32>,
}

impl Lines {
    fn of(source: &Source, atlas: &Atlas) -> Self {
        let later =
            memchr_iter(b'\n', source.text.as_bytes()).map(|at| u32::try_from(at + 1).unwrap_or(u32::MAX));
        Self { path: atlas.path(&source.name), starts: std::iter::once(0).chain(later).collect() }
    }

    /// The line of an offset, from 1, and how many bytes stand before it on that line.
    fn position(&self, offset: u32) -> (u32, u32) {
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = self.starts.get(line.saturating_sub(1)).copied().unwrap_or_default();
        (u32::try_from(line).unwrap_or(u32::MAX), offset - start)
    }
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
    fn new(frames: &Frames, atlas: &Atlas) -> Self {
        let mut known: HashMap<*const Source, usize> = HashMap::new();
        let mut names: HashMap<*const u8, Arc<str>> = HashMap::new();
        let mut runs = Self::default();
        for frame in frames.iter() {
            let source = *known.entry(Arc::as_ptr(&frame.source)).or_insert_with(|| {
                runs.sources.push(Lines::of(&frame.source, atlas));
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
        files: Vec<Arc<RenderedFile>>,
        (unanswered, looked_up): (Vec<String>, Vec<LookUp>),
        definitions: Vec<(String, ChartFile)>,
        atlas: Arc<Atlas>,
        frames: &Frames,
    ) -> Self {
        let runs = Runs::new(frames, &atlas);
        Self {
            files,
            unanswered,
            looked_up,
            definitions,
            left_out: Vec::new(),
            helm: HelmVersion::default(),
            atlas,
            runs,
        }
    }

    /// The innermost place that stands in a file and led to a byte of a rendered file.
    #[must_use]
    pub fn place(&self, file: &RenderedFile, position: usize) -> Option<Innermost<'_>> {
        let found = file.spans.at(position)?;
        let mut value = found.value;
        let mut next = Some((found.frame, found.offset));
        while let Some((frame, offset)) = next {
            let run = self.runs.runs.get(frame.0 as usize)?;
            let lines = self.runs.sources.get(run.source)?;
            if let Some(path) = &lines.path {
                let (line, column) = lines.position(offset);
                let value = self.atlas.places.get(value);
                return Some(Innermost { path, line, column: column + 1, value });
            }
            value = value.or(run.value);
            next = run.caller;
        }
        None
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
            let lines = self.runs.sources.get(run.source)?;
            let (line, column) = lines.position(offset);
            let template = run.template.to_string();
            sites.push(Site { template, path: lines.path.clone(), line, column: column + 1 });
            value = value.or(run.value);
            next = run.caller;
        }
        let value = self.atlas.places.get(value).map(|(file, place)| (file.clone(), place));
        Some(Origin { sites, value })
    }
}
