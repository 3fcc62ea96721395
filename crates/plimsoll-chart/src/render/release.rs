//! One rendering from beginning to end, and what is kept for the next.

use super::failure::RenderFailure;
use super::rendering::{Atlas, RenderedFile, Rendering, Site};
use super::request::{HelmVersion, Request};
use super::scope::{Renderable, renderables};
use super::watch::Watch;
use crate::chart::Chart;
use crate::functions::{base, library, without_no_value};
use crate::objects::capabilities::Unanswered;
use crate::template::failure::Site as TemplateSite;
use crate::template::function::Library;
use crate::template::limits::Meter;
use crate::template::machine::{Caller, Machine};
use crate::template::parser::parse;
use crate::template::tree::{Source, Template};
use crate::template::value::{Item, Map, MapKind, Value};
use crate::values::{Places, coalesce_values, process, user_values, validate};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// The templates of a file.
type Parsed = Rc<[Rc<Template>]>;

/// A chart, and its templates as far as they were needed.
pub(super) struct Templates<'c> {
    chart: &'c Chart,
    watch: &'c Watch,
    library: Rc<Library>,
    /// By Helm's name for the file and its path below the outermost chart: under an alias both differ.
    parsed: HashMap<(String, Arc<str>), Parsed>,
}

impl<'c> Templates<'c> {
    pub(super) fn of(chart: &'c Chart, watch: &'c Watch) -> Self {
        Self { chart, watch, library: Rc::new(library()), parsed: HashMap::new() }
    }

    /// Brings the values together and renders every template, in Helm's order.
    pub(super) fn render(&mut self, request: &Request) -> Result<Rendering, RenderFailure> {
        check(self.chart, request)?;
        let mut places = Places::default();
        let cleans_defaults = request.helm == HelmVersion::Four;
        let user = user_values(&request.values, &mut places)?;
        let root = process(self.chart, &user, &mut places, cleans_defaults)?;
        let manner = crate::values::Manner { keeps_nulls: false, cleans_defaults };
        let values = coalesce_values(&root, &user, manner)?;
        if !request.skips_schema {
            validate(&root, &values)?;
        }
        let kind = if cleans_defaults { MapKind::Values4 } else { MapKind::Values3 };
        let unanswered = Unanswered::default();
        let mut templates = renderables(&root, &values.with_kind(kind), request, &unanswered);
        // Deeper files first, so that shallower ones define last; among equals the last name first.
        let depth = |name: &str| name.matches('/').count();
        templates.sort_by(|one, other| (depth(&other.name), &other.name).cmp(&(depth(&one.name), &one.name)));
        let mut atlas = Atlas::new(places, &templates);
        let mut machine = Machine::new(Rc::clone(&self.library), Meter::new(request.limits));
        machine.beacon = Arc::clone(&self.watch.beacon);
        for template in &templates {
            machine.define_all(&self.parsed(template)?);
        }
        let mut files = Vec::new();
        for template in templates.iter().filter(|template| !base(&template.name).starts_with('_')) {
            let file = render_file(&mut machine, template, &mut atlas);
            files.push(file.map_err(|failure| failure.asking(&unanswered))?);
        }
        files.sort_by(|one, other| one.name.cmp(&other.name));
        let unanswered = unanswered.borrow().iter().map(ToString::to_string).collect();
        Ok(Rendering::new(files, unanswered, root.definitions(), atlas, &machine.frames))
    }

    fn parsed(&mut self, template: &Renderable<'_>) -> Result<Parsed, RenderFailure> {
        let key = (template.name.clone(), Arc::clone(&template.path));
        if let Some(known) = self.parsed.get(&key) {
            return Ok(Rc::clone(known));
        }
        let source = Rc::new(Source {
            name: template.name.as_str().into(),
            text: template.file.text().into(),
            file: self.watch.enlist(template),
        });
        let parsed = parse(&source, &self.library).map_err(|failure| RenderFailure::Parse {
            template: failure.source.to_string(),
            line: failure.line,
            cause: failure.cause,
        })?;
        self.parsed.insert(key, Rc::clone(&parsed));
        Ok(parsed)
    }
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

fn render_file(
    machine: &mut Machine,
    template: &Renderable<'_>,
    atlas: &mut Atlas,
) -> Result<RenderedFile, RenderFailure> {
    let about = Map::of_values([
        ("Name", Value::from(&*template.name)),
        ("BasePath", Value::from(&*template.base_path)),
    ]);
    template.scope.set("Template".into(), Value::Map(about).into());
    let dot = Item::from(Value::Map(template.scope.clone()));
    let text = machine.execute(&template.name, &dot, Caller::NONE).map_err(|failure| {
        RenderFailure::of(&failure, |site: &TemplateSite| -> Site { atlas.site_of(site) })
    })?;
    let text = without_no_value(text);
    Ok(RenderedFile { name: template.name.clone(), text: text.to_string(), spans: text.spans().clone() })
}
