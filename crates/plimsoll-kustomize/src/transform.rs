//! What a kustomization changes, in kustomize's order
//! (`internal/target/kusttarget_configplugin.go`, `configureBuiltinTransformers`).

mod affix;
mod images;
mod json_patch;
mod matcher;
mod names;
mod namespace;
mod pairs;
mod patches;
mod replacements;
mod replicas;
mod structured;

pub(crate) use affix::{Affix, Side};
pub(crate) use images::set_images;
pub(crate) use names::hash_names;
pub(crate) use namespace::{Namespace, Subjects};
pub(crate) use pairs::add_pairs;
pub(crate) use patches::{patch, patch_by_json, patch_strategically};
pub(crate) use replacements::{load_replacements, replace};
pub(crate) use replicas::set_replicas;

use crate::accumulate::{Accumulator, Step};
use crate::build::Build;
use crate::config::Config;
use crate::field_spec::{FieldSpec, merge};
use crate::kustomization::LabelSet;
use crate::plugins;
use crate::refusal::Refusal;
use crate::resource::Resource;

/// Changes what was gathered.
pub(crate) fn run(
    build: &mut Build<'_>,
    step: &Step<'_>,
    accumulator: &mut Accumulator,
) -> Result<(), Refusal> {
    let kustomization = step.kustomization;
    let Accumulator { resources, tables, .. } = accumulator;
    let config = tables.config();
    if !kustomization.patches_strategic_merge.is_empty() {
        patch_strategically(build, step.root, &kustomization.patches_strategic_merge, resources)?;
        step.note(build, resources, "PatchStrategicMergeTransformer");
    }
    for one in &kustomization.patches {
        patch(build, step.root, one, resources)?;
        drop_empty(resources);
        step.note(build, resources, "PatchTransformer");
    }
    rename(build, step, resources, config)?;
    for set in &kustomization.labels {
        add_pairs(build, resources, &set.pairs, &label_specs(set, config)?)?;
        step.note(build, resources, "LabelTransformer");
    }
    if !kustomization.common_labels.is_empty() {
        add_pairs(build, resources, &kustomization.common_labels, &config.common_labels)?;
        step.note(build, resources, "LabelTransformer");
    }
    if !kustomization.common_annotations.is_empty() {
        add_pairs(build, resources, &kustomization.common_annotations, &config.common_annotations)?;
        step.note(build, resources, "AnnotationsTransformer");
    }
    for one in &kustomization.patches_json {
        patch_by_json(build, step.root, one, resources)?;
        step.note(build, resources, "PatchJson6902Transformer");
    }
    for replica in &kustomization.replicas {
        set_replicas(resources, replica, &config.replicas, build.is_incomplete())?;
    }
    for image in &kustomization.images {
        set_images(resources, image, &config.images)?;
    }
    let replacements = load_replacements(build, step.root, &kustomization.replacements)?;
    replace(build, resources, &replacements)?;
    drop_empty(resources);
    plugins::run_transformers(build, step, resources)
}

/// Namespace, prefix and suffix.
fn rename(
    build: &Build<'_>,
    step: &Step<'_>,
    resources: &mut [Resource],
    config: &Config,
) -> Result<(), Refusal> {
    let kustomization = step.kustomization;
    if let Some((name, place)) = &kustomization.namespace {
        Namespace::new(name, *place, config.namespace.clone()).set(resources)?;
        step.note(build, resources, "NamespaceTransformer");
    }
    if let Some((text, place)) = &kustomization.name_prefix {
        Affix { side: Side::Prefix, text, place: *place, specs: &config.name_prefix }.add(resources)?;
        step.note(build, resources, "PrefixTransformer");
    }
    if let Some((text, place)) = &kustomization.name_suffix {
        Affix { side: Side::Suffix, text, place: *place, specs: &config.name_suffix }.add(resources)?;
        step.note(build, resources, "SuffixTransformer");
    }
    Ok(())
}

/// Objects of which nothing is left go.
pub(crate) fn drop_empty(resources: &mut Vec<Resource>) {
    resources.retain(|resource| !resource.is_gone());
}

fn label_specs(set: &LabelSet, config: &Config) -> Result<Vec<FieldSpec>, Refusal> {
    let conflict = |cause: &str| Refusal::new(set.place, cause);
    let mut specs = set.fields.clone();
    merge(&mut specs, &config.labels).map_err(conflict)?;
    if set.includes_selectors {
        merge(&mut specs, &config.common_labels).map_err(conflict)?;
        return Ok(specs);
    }
    if set.includes_templates {
        merge(&mut specs, &config.template_labels).map_err(conflict)?;
    }
    let own = FieldSpec { path: "metadata/labels".into(), creates: true, ..FieldSpec::default() };
    merge(&mut specs, &[own]).map_err(conflict)?;
    Ok(specs)
}
