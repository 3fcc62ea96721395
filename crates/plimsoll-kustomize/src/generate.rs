//! Generators of ConfigMaps and Secrets (`internal/generators`, `internal/builtins/ConfigMapGenerator.go`).

mod chart;
mod hash;
mod json;
mod object;
mod sources;

pub(crate) use chart::inflate;
pub(crate) use hash::hash;
pub(crate) use json::{json_lines, json_of};
pub(crate) use object::{make, merge_data};

use crate::accumulate::{Accumulator, Step};
use crate::build::Build;
use crate::kustomization::ChartEntry;
use crate::plugins;
use crate::refusal::Refusal;

/// Runs the generators of a kustomization, in kustomize's order.
pub(crate) fn run(
    build: &mut Build<'_>,
    step: &Step<'_>,
    accumulator: &mut Accumulator,
) -> Result<(), Refusal> {
    let kustomization = step.kustomization;
    let global = kustomization.generator_options.as_ref();
    for generator in kustomization.config_maps.iter().chain(&kustomization.secrets) {
        let options = generator.options.with(global);
        let mut resource = make(build, step.root, generator, &options)?;
        if build.tells_origin {
            let plugin = if generator.is_secret { "SecretGenerator" } else { "ConfigMapGenerator" };
            resource.set_origin(&step.generated_by(plugin));
        }
        let is_incomplete = build.is_incomplete();
        accumulator.absorb(resource, is_incomplete)?;
    }
    for chart in &kustomization.charts {
        let inherited = || step.namespace().unwrap_or_default().to_owned();
        let namespace = if chart.namespace.is_empty() { inherited() } else { chart.namespace.clone() };
        let chart = ChartEntry { namespace, ..chart.clone() };
        let mut resources = inflate(build, step, &chart)?;
        if build.tells_origin {
            let origin = step.generated_by("HelmChartInflationGenerator");
            for resource in &mut resources {
                resource.set_origin(&origin);
            }
        }
        accumulator.absorb_all(resources, build.is_incomplete())?;
    }
    plugins::run_generators(build, step, accumulator)
}
