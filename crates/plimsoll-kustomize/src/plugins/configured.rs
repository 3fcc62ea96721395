//! One of kustomize's own plugins with its configuration (`internal/plugins/builtinhelpers/builtins.go`).

use crate::accumulate::Step;
use crate::build::{Build, not_understood};
use crate::config::field_spec;
use crate::field_spec::FieldSpec;
use crate::fields::Fields;
use crate::generate::{inflate, make};
use crate::kustomization::{ChartEntry, Generator, Image, Patch, Placed, Replacement, Replica};
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::transform::{
    Affix, Namespace, Side, Subjects, add_pairs, hash_names, load_replacements, patch, patch_by_json,
    patch_strategically, replace, set_images, set_replicas,
};
use plimsoll_model::{Node, Place};

/// What a generator makes.
pub(super) fn generate(
    build: &mut Build<'_>,
    step: &Step<'_>,
    kind: &str,
    config: &Node,
) -> Result<Vec<Resource>, Refusal> {
    let is_secret = match kind {
        "ConfigMapGenerator" => false,
        "SecretGenerator" => true,
        "HelmChartInflationGenerator" => {
            return inflate(build, step, &ChartEntry::of_plugin(&Fields::of(config)?)?);
        }
        _ => return Err(unknown(kind, config.place)),
    };
    let fields = Fields::of(config)?;
    let mut generator = Generator::of(&fields, is_secret)?;
    if let Some(metadata) = fields.inner("metadata")? {
        if generator.name.is_empty() {
            generator.name = metadata.text("name")?.into();
        }
        if generator.namespace.is_empty() {
            generator.namespace = metadata.text("namespace")?.into();
        }
    }
    Ok(vec![make(build, step.root, &generator, &generator.options)?])
}

/// Lets a transformer change objects.
pub(super) fn transform(
    build: &mut Build<'_>,
    step: &Step<'_>,
    kind: &str,
    config: &Node,
    resources: &mut Vec<Resource>,
) -> Result<(), Refusal> {
    let fields = Fields::of(config)?;
    match kind {
        "AnnotationsTransformer" => {
            add_pairs(build, resources, &fields.pairs("annotations")?, &specs(&fields)?)
        }
        "LabelTransformer" => add_pairs(build, resources, &fields.pairs("labels")?, &specs(&fields)?),
        "HashTransformer" => hash_names(resources),
        "ImageTagTransformer" => {
            let image = fields.get("imageTag").map(Image::parse).transpose()?.unwrap_or_default();
            set_images(resources, &image, &specs(&fields)?)
        }
        "NamespaceTransformer" => set_namespace(&fields, resources),
        "PatchTransformer" => {
            let one = Patch::of(&fields, "patch")?;
            patch(build, step.root, &one, resources)
        }
        "PatchJson6902Transformer" => {
            let one = Patch::of(&fields, "jsonOp")?;
            patch_by_json(build, step.root, &one, resources)
        }
        "PatchStrategicMergeTransformer" => {
            let mut patches = placed(&fields, "paths")?;
            patches.extend(fields.placed("patches")?.map(|(text, place)| (text.to_owned(), place)));
            patch_strategically(build, step.root, &patches, resources)
        }
        "PrefixTransformer" => affix(&fields, Side::Prefix, resources),
        "SuffixTransformer" => affix(&fields, Side::Suffix, resources),
        "PrefixSuffixTransformer" => {
            affix(&fields, Side::Prefix, resources)?;
            affix(&fields, Side::Suffix, resources)
        }
        "ReplicaCountTransformer" => {
            let Some(replica) = fields.get("replica") else { return Err(unknown(kind, config.place)) };
            let replica = Replica::parse(replica)?;
            set_replicas(resources, &replica, &specs(&fields)?, build.is_incomplete())
        }
        "ReplacementTransformer" => {
            let entries = fields.items("replacements")?.iter().map(Replacement::parse_or_path);
            let entries = entries.collect::<Result<Vec<_>, _>>()?;
            let replacements = load_replacements(build, step.root, &entries)?;
            replace(build, resources, &replacements)
        }
        _ => Err(unknown(kind, config.place)),
    }
}

fn unknown(kind: &str, place: Place) -> Refusal {
    not_understood(place, &format!("the plugin {kind} is not understood"))
}

fn specs(fields: &Fields<'_>) -> Result<Vec<FieldSpec>, Refusal> {
    fields.items("fieldSpecs")?.iter().map(field_spec).collect()
}

fn placed(fields: &Fields<'_>, name: &str) -> Result<Vec<Placed>, Refusal> {
    Ok(fields.texts(name)?.into_iter().map(|(text, place)| (text.to_owned(), place)).collect())
}

fn affix(fields: &Fields<'_>, side: Side, resources: &mut [Resource]) -> Result<(), Refusal> {
    let specs = specs(fields)?;
    if fields.get("fieldSpecs").is_none() {
        return Err(Refusal::new(fields.place(), "kustomize refuses this plugin without `fieldSpecs`"));
    }
    let name = if side == Side::Prefix { "prefix" } else { "suffix" };
    let (text, place) = fields.placed(name)?.unwrap_or(("", fields.place()));
    Affix { side, text, place, specs: &specs }.add(resources)
}

fn set_namespace(fields: &Fields<'_>, resources: &mut [Resource]) -> Result<(), Refusal> {
    let metadata = fields.inner("metadata")?;
    let found = metadata.map(|metadata| metadata.placed("namespace")).transpose()?.flatten();
    let Some((name, place)) = found else { return Ok(()) };
    let mut namespace = Namespace::new(name, place, specs(fields)?);
    namespace.is_for_unset = fields.truth("unsetOnly")?;
    namespace.subjects = match fields.text("setRoleBindingSubjects")? {
        "" | "defaultOnly" => Subjects::Default,
        "allServiceAccounts" => Subjects::ServiceAccounts,
        "none" => Subjects::None,
        _ => {
            return Err(Refusal::new(place, "kustomize refuses this word under `setRoleBindingSubjects`"));
        }
    };
    namespace.set(resources)
}
