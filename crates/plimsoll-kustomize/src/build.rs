//! The door: from a folder to the objects it gives (`krusty/kustomizer.go`, `Run`).

use crate::accumulate::{Accumulator, Step, accumulate, identity};
use crate::files::{Files, Root};
use crate::kustomization::Kustomization;
use crate::load::load_kustomization;
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::schema_in_use::SchemaInUse;
use crate::sorting::Sorting;
use crate::{printed, references, transform, variables};
use plimsoll_model::{Node, Place};
use rustc_hash::FxHashSet;

/// What a person may say about a build on the command line.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// The order of the output, where the kustomization says nothing.
    pub sorting: Option<Sorting>,
    /// Whether files outside the folder of a kustomization may be read: `--load-restrictor LoadRestrictionsNone`.
    pub is_unrestricted: bool,
    /// Whether charts become objects: `--enable-helm`.
    pub allows_charts: bool,
}

/// What a kustomization gives.
#[derive(Debug, Clone)]
pub struct Built {
    /// The objects, in the order in which kustomize prints them. Values of Secrets are not concealed.
    pub objects: Vec<Node>,
    /// Whether the order is that of `resources`, not one by kind.
    pub is_as_listed: bool,
    /// What is missing, because it is not fetched.
    pub problems: Vec<Refusal>,
}

/// One build.
pub(crate) struct Build<'f> {
    pub(crate) files: &'f mut dyn Files,
    pub(crate) schema: SchemaInUse,
    pub(crate) problems: Vec<Refusal>,
    /// Whether only outlines are known of some objects.
    pub(crate) has_outlines: bool,
    /// Whether annotations of the origin are wanted.
    pub(crate) tells_origin: bool,
    pub(crate) allows_charts: bool,
    /// The last number given to nodes that are one.
    twin: u32,
}

impl Build<'_> {
    /// A number for nodes that are one.
    pub(crate) fn twin(&mut self) -> u32 {
        self.twin += 1;
        self.twin
    }

    /// Whether objects, or parts of them, may be missing because they are not fetched.
    pub(crate) fn is_incomplete(&self) -> bool {
        self.has_outlines || !self.problems.is_empty()
    }
}

/// What the kustomization in a folder gives, or why that is nothing.
pub fn build(files: &mut dyn Files, folder: &str, settings: &Settings) -> Result<Built, Refusal> {
    let root = Root::new(files, folder, !settings.is_unrestricted);
    let mut build = Build {
        files,
        schema: SchemaInUse::default(),
        problems: Vec::new(),
        has_outlines: false,
        tells_origin: false,
        allows_charts: settings.allows_charts,
        twin: 0,
    };
    let kustomization = load_kustomization(&mut build, &root)?;
    refuse_annotations(&kustomization)?;
    build.tells_origin = !kustomization.build_metadata.is_empty();
    build.schema.set(&mut *build.files, &root, &kustomization, true)?;
    let step =
        Step { root: &root, kustomization: &kustomization, origin: String::new(), outer_namespace: None };
    let mut accumulator = accumulate(&mut build, &step, Accumulator::default())?;
    finish(&mut accumulator)?;
    let sorting = kustomization.sorting.clone().or_else(|| settings.sorting.clone()).unwrap_or_default();
    let resources = sorted(accumulator.resources, &sorting);
    let objects = printed::print(resources, &kustomization)?;
    Ok(Built { objects, is_as_listed: sorting == Sorting::Listed, problems: build.problems })
}

/// What comes once, after all folders: hashes, references, variables, and what is kept for kustomize alone.
fn finish(accumulator: &mut Accumulator) -> Result<(), Refusal> {
    transform::hash_names(&mut accumulator.resources)?;
    references::mend(&mut accumulator.resources, accumulator.tables.config())?;
    variables::resolve(accumulator)?;
    accumulator.resources.retain(|resource| !printed::is_local(resource));
    let mut seen = FxHashSet::default();
    match accumulator.resources.iter().find(|resource| !seen.insert(identity(&resource.id()))) {
        Some(twice) => Err(twice.refusal(format!("kustomize refuses two objects {}", twice.id().words()))),
        None => Ok(()),
    }
}

fn sorted(resources: Vec<Resource>, sorting: &Sorting) -> Vec<Resource> {
    let mut things: Vec<_> = resources.into_iter().map(|resource| (resource.id(), resource)).collect();
    sorting.arrange(&mut things);
    things.into_iter().map(|(_, resource)| resource).collect()
}

/// Annotations that tell which transformers worked on an object are not made.
fn refuse_annotations(kustomization: &Kustomization) -> Result<(), Refusal> {
    let mut options = kustomization.build_metadata.iter();
    match options.find(|(option, _)| option == "transformerAnnotations") {
        Some((_, place)) => Err(not_understood(*place, "`transformerAnnotations` is not understood")),
        None => Ok(()),
    }
}

/// What plimsoll, not kustomize, cannot do.
pub(crate) fn not_understood(place: Place, cause: &str) -> Refusal {
    Refusal::new(place, cause)
}
