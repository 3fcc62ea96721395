//! `generators`, `transformers` and `validators`: kustomize's own plugins, configured by files
//! (`internal/plugins/loader/loader.go`). Programs and containers are never run.

mod configured;

use crate::accumulate::{Accumulator, Step, accumulate_resources};
use crate::build::{Build, not_understood};
use crate::inline::Origin;
use crate::kustomization::Placed;
use crate::load::objects_in;
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::tree::to_value;
use configured::{generate, transform};
use plimsoll_model::{Node, Place};

/// Runs the plugins under `generators`.
pub(crate) fn run_generators(
    build: &mut Build<'_>,
    step: &Step<'_>,
    accumulator: &mut Accumulator,
) -> Result<(), Refusal> {
    for (kind, config) in load(build, step, &step.kustomization.generators)? {
        let resources = generate(build, step, &kind, &config)?;
        accumulator.absorb_all(resources, build.is_incomplete())?;
    }
    Ok(())
}

/// Runs the plugins under `transformers`.
pub(crate) fn run_transformers(
    build: &mut Build<'_>,
    step: &Step<'_>,
    resources: &mut Vec<Resource>,
) -> Result<(), Refusal> {
    for (kind, config) in load(build, step, &step.kustomization.transformers)? {
        transform(build, step, &kind, &config, resources)?;
        crate::transform::drop_empty(resources);
    }
    Ok(())
}

/// Validators change nothing, but may refuse everything; that is not known here.
pub(crate) fn run_validators(_build: &mut Build<'_>, step: &Step<'_>) -> Result<(), Refusal> {
    match step.kustomization.validators.first() {
        Some((_, place)) => Err(not_understood(*place, "`validators` are not understood")),
        None => Ok(()),
    }
}

/// The plugins that files, folders and inline texts ask for: kind and configuration.
fn load(build: &mut Build<'_>, step: &Step<'_>, entries: &[Placed]) -> Result<Vec<(String, Node)>, Refusal> {
    let mut accumulator = Accumulator::default();
    let mut paths = Vec::new();
    for (entry, place) in entries {
        if objects_in(entry, Place::default()).is_err() {
            paths.push((entry.clone(), *place));
            continue;
        }
        let file = build.files.text(place.file).unwrap_or_default();
        let origin = Origin::of(&file, *place);
        let mut objects = objects_in(entry, origin.start())?;
        for object in &mut objects {
            origin.settle(&mut object.root);
        }
        accumulator.append_all(objects)?;
    }
    accumulate_resources(build, step, &mut accumulator, &paths)?;
    let mut plugins = Vec::new();
    for resource in accumulator.resources {
        let gvk = resource.gvk();
        if !gvk.group.is_empty() || &*gvk.version != "builtin" {
            let cause = format!("the plugin {} is a program or a container, which is never run", gvk.kind);
            return Err(not_understood(resource.root.place, &cause));
        }
        plugins.push((gvk.kind.to_string(), to_value(&resource.root)?));
    }
    Ok(plugins)
}
