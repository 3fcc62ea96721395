//! One rendering from beginning to end. It can go on where the cluster offers more: then only those templates run again
//! that asked for something in vain.

use super::failure::RenderFailure;
use super::rendering::{Atlas, RenderedFile, Rendering, Site};
use super::request::{Capabilities, Request};
use super::scope::Renderable;
use crate::functions::{base, without_no_value};
use crate::lookup::LookUps;
use crate::objects::capabilities::Offer;
use crate::template::failure::Site as TemplateSite;
use crate::template::limits::Meter;
use crate::template::machine::{Caller, Machine};
use crate::template::value::{Item, Map, Unchanged, Value};
use crate::values::ChartNode;
use std::rc::Rc;
use std::sync::Arc;

/// Templates with everything that they work on.
pub(super) struct Stage<'c> {
    request: Request,
    root: ChartNode<'c>,
    scenes: Vec<Scene<'c>>,
    machine: Machine,
    atlas: Arc<Atlas>,
    offer: Rc<Offer>,
    /// What all templates see: one that changes it may change what others make.
    common: Unchanged,
}

/// A template, and what came out of it.
struct Scene<'c> {
    template: Renderable<'c>,
    /// Nothing yet, or something that may come out otherwise.
    file: Option<Arc<RenderedFile>>,
}

impl<'c> Stage<'c> {
    pub(super) fn new(
        request: Request,
        root: ChartNode<'c>,
        templates: Vec<Renderable<'c>>,
        (machine, atlas, offer): (Machine, Atlas, Rc<Offer>),
    ) -> Self {
        let common = Unchanged::over(templates.iter().map(|template| &template.scope));
        let is_run = |template: &Renderable<'_>| !base(&template.name).starts_with('_');
        let scenes = templates.into_iter().filter(is_run).map(|template| Scene { template, file: None });
        Self { request, root, scenes: scenes.collect(), machine, atlas: Arc::new(atlas), offer, common }
    }

    /// Whether no template changed what others see.
    pub(super) fn is_each_on_its_own(&self) -> bool {
        self.common.holds()
    }

    /// Whether all that a request changes is that the cluster offers more, and no template depends on another.
    pub(super) fn differs_by_offer(&self, request: &Request) -> bool {
        let known = &self.request.capabilities;
        let offered = &request.capabilities.api_versions;
        let is_more = offered.starts_with(&known.api_versions);
        let capabilities = Capabilities { api_versions: offered.clone(), ..known.clone() };
        is_more && self.is_each_on_its_own() && *request == Request { capabilities, ..self.request.clone() }
    }

    /// Renders what is not rendered yet.
    pub(super) fn play(&mut self, request: &Request) -> Result<Rendering, RenderFailure> {
        self.offer.begin(&request.capabilities.api_versions);
        self.request.capabilities.clone_from(&request.capabilities);
        self.machine.meter = Meter::new(request.limits);
        self.machine.lookups = LookUps::knowing(&request.answers);
        let (mut files, mut left_out) = (Vec::new(), Vec::new());
        for scene in &mut self.scenes {
            let file = match scene.file.take() {
                Some(file) => file,
                None => match render_file(&mut self.machine, &scene.template, &self.atlas) {
                    Ok(file) => Arc::new(file),
                    Err(failure) if request.leaves_out(&failure) => {
                        left_out.push(failure);
                        continue;
                    }
                    Err(failure) => return Err(failure.asking(&self.offer, &self.machine.lookups)),
                },
            };
            scene.file = (!self.offer.was_looked_at()).then(|| Arc::clone(&file));
            files.push(file);
        }
        files.sort_by(|one, other| one.name.cmp(&other.name));
        let asked = (self.offer.unanswered(), self.machine.lookups.asked());
        let atlas = Arc::clone(&self.atlas);
        let mut rendering =
            Rendering::new(files, asked, self.root.definitions(), atlas, &self.machine.frames);
        (rendering.left_out, rendering.helm) = (left_out, request.helm);
        Ok(rendering)
    }
}

fn render_file(
    machine: &mut Machine,
    template: &Renderable<'_>,
    atlas: &Atlas,
) -> Result<RenderedFile, RenderFailure> {
    let about = Map::of_values([
        ("Name", Value::from(&*template.name)),
        ("BasePath", Value::from(&*template.base_path)),
    ]);
    template.scope.set_unseen("Template".into(), Value::Map(about).into());
    let dot = Item::from(Value::Map(template.scope.clone()));
    let text = machine.execute(&template.name, &dot, Caller::NONE).map_err(|failure| {
        RenderFailure::of(&failure, |site: &TemplateSite| -> Site { atlas.site_of(site) })
    })?;
    let text = without_no_value(text);
    Ok(RenderedFile { name: template.name.clone(), text: text.to_string(), spans: text.spans().clone() })
}
