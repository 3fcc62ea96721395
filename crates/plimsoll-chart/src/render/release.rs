//! A chart that is rendered, and what is kept for the next time.

use super::failure::RenderFailure;
use super::rendering::{Atlas, Rendering};
use super::request::{HelmVersion, Request};
use super::scope::{Renderable, renderables};
use super::stage::Stage;
use super::watch::Watch;
use crate::chart::Chart;
use crate::functions::library;
use crate::objects::capabilities::Offer;
use crate::template::function::Library;
use crate::template::machine::Machine;
use crate::template::parser::{Room, parse};
use crate::template::tree::{Source, Template};
use crate::template::value::MapKind;
use crate::values::{Manner, Places, coalesce_values, process, user_values, validate};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

/// The templates of a file.
type Parsed = Arc<[Arc<Template>]>;

/// Helm's name for a file and its path below the outermost chart: under an alias both differ.
type FileKey = (String, Arc<str>);

/// A chart, its templates as far as they were needed, and how it was rendered last.
pub(super) struct Templates<'c> {
    chart: &'c Chart,
    watch: &'c Watch,
    library: Arc<Library>,
    parsed: HashMap<FileKey, Parsed>,
    last: Option<Stage<'c>>,
}

impl<'c> Templates<'c> {
    pub(super) fn of(chart: &'c Chart, watch: &'c Watch) -> Self {
        Self { chart, watch, library: Arc::new(library()), parsed: HashMap::new(), last: None }
    }

    /// Renders every template, in Helm's order; of those that were rendered before only what may come out otherwise.
    pub(super) fn render(&mut self, request: &Request) -> Result<Rendering, RenderFailure> {
        if let Some(mut last) = self.last.take().filter(|last| last.differs_by_offer(request)) {
            let rendering = last.play(request);
            if last.is_each_on_its_own() {
                self.last = Some(last);
                return rendering;
            }
        }
        let mut stage = self.stage(request)?;
        let rendering = stage.play(request)?;
        self.last = Some(stage);
        Ok(rendering)
    }

    /// Drops everything. The templates of a large chart take a while, and nobody has to wait for them.
    pub(super) fn tidy_up(self) {
        drop(self.last);
        rayon::spawn(move || drop(self.parsed));
    }

    /// Brings the values and the templates together.
    fn stage(&mut self, request: &Request) -> Result<Stage<'c>, RenderFailure> {
        check(self.chart, request)?;
        let mut places = Places::default();
        let cleans_defaults = request.helm == HelmVersion::Four;
        let user = user_values(&request.values, request.helm, &mut places)?;
        let root = process(self.chart, &user, &mut places, request.helm)?;
        let values = coalesce_values(&root, &user, Manner { keeps_nulls: false, cleans_defaults })?;
        if !request.skips_schema {
            validate(&root, &values)?;
        }
        let kind = if cleans_defaults { MapKind::Values4 } else { MapKind::Values3 };
        let offer = Rc::new(Offer::default());
        let mut templates = renderables(&root, &values.with_kind(kind), request, &offer);
        // Deeper files first, so that shallower ones define last; among equals the last name first.
        let depth = |name: &str| name.matches('/').count();
        templates.sort_by(|one, other| (depth(&other.name), &other.name).cmp(&(depth(&one.name), &one.name)));
        let mut machine = Machine::new(Arc::clone(&self.library), Arc::clone(&self.watch.beacon));
        machine.goes_on = request.goes_on;
        self.parse(&templates)?;
        for template in &templates {
            machine.define_all(self.parsed.get(&key(template)).map_or(&[], |parsed| parsed));
        }
        let atlas = Atlas::new(places, &templates);
        Ok(Stage::new(request.clone(), root, templates, (machine, atlas, offer)))
    }

    /// Parses the templates that are not known yet.
    fn parse(&mut self, templates: &[Renderable<'_>]) -> Result<(), RenderFailure> {
        let unknown = templates.iter().filter(|template| !self.parsed.contains_key(&key(template)));
        let unknown: Vec<_> = unknown
            .map(|template| {
                let (name, file) = (template.name.as_str().into(), self.watch.enlist(template));
                (key(template), Arc::new(Source { name, text: template.file.text(), file }))
            })
            .collect();
        let library = &self.library;
        let parsed = side_by_side(&unknown, |(_, source)| parse(source, library, Room::Little));
        // The first that fails is named, whichever was parsed first.
        for ((key, source), parsed) in unknown.into_iter().zip(parsed) {
            let parsed = match parsed {
                Err(failure) if failure.is_for_lack_of_room => parse(&source, library, Room::Much),
                parsed => parsed,
            };
            let parsed = parsed.map_err(|failure| RenderFailure::Parse {
                template: failure.source.to_string(),
                path: Arc::clone(&key.1),
                line: failure.line,
                cause: failure.cause,
            })?;
            self.parsed.insert(key, parsed);
        }
        Ok(())
    }
}

/// What a work makes of each item. The thread that asks works too: it need not wait until others are awake.
fn side_by_side<T: Sync, R: Send + Sync>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let results: Vec<OnceLock<R>> = items.iter().map(|_| OnceLock::new()).collect();
    let next = AtomicUsize::new(0);
    let take = || {
        let mut free = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        while let Some((item, result)) =
            free.next().and_then(|index| items.get(index).zip(results.get(index)))
        {
            // Nobody else has this item.
            let _ = result.set(work(item));
        }
    };
    rayon::in_place_scope(|scope| {
        for _ in 1..rayon::current_num_threads().min(items.len()) {
            scope.spawn(|_| take());
        }
        take();
    });
    results.into_iter().filter_map(OnceLock::into_inner).collect()
}

fn key(template: &Renderable<'_>) -> FileKey {
    (template.name.clone(), Arc::clone(&template.path))
}

/// Whether the chart can be installed at all.
fn check(chart: &Chart, request: &Request) -> Result<(), RenderFailure> {
    let version = &chart.metadata.api_version;
    if request.helm == HelmVersion::Four && !matches!(version.as_str(), "v1" | "v2") {
        return Err(RenderFailure::ApiVersion { version: version.clone() });
    }
    if chart.is_library() {
        return Err(RenderFailure::Library { name: chart.metadata.name.clone() });
    }
    let wanted = &chart.metadata.kube_version;
    let offered = &request.capabilities.kube_version;
    if wanted.is_empty() || crate::values::is_compatible(wanted, offered) {
        return Ok(());
    }
    Err(RenderFailure::KubeVersion { wanted: wanted.clone(), offered: offered.clone() })
}
