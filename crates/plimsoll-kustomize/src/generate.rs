//! Generators of ConfigMaps and Secrets (`internal/generators`, `internal/builtins/ConfigMapGenerator.go`).

mod hash;
mod json;
mod object;
mod sources;

pub(crate) use hash::hash;
pub(crate) use json::{json_lines, json_of};
pub(crate) use object::{make, merge_data};

use crate::accumulate::{Accumulator, Step};
use crate::build::Build;
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
    plugins::run_generators(build, step, accumulator)
}
