//! Goes through a kustomization and the folders it lists, in the order of the program
//! (`internal/target/kusttarget.go`, `internal/accumulator/resaccumulator.go`).

mod absorb;
mod tables;

pub(crate) use absorb::identity;
pub(crate) use tables::Tables;

use crate::build::Build;
use crate::config::{config_of_crds, parse_config};
use crate::files::{NOT_FETCHED, Root, is_remote};
use crate::kustomization::{Kustomization, Placed, Variable};
use crate::load::{load_kustomization, load_objects, text_of};
use crate::refusal::Refusal;
use crate::resource::{Maker, Resource};
use crate::{generate, plugins, transform};
use absorb::Identity;
use plimsoll_model::Place;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// What was gathered so far.
#[derive(Debug, Default)]
pub(crate) struct Accumulator {
    pub(crate) resources: Vec<Resource>,
    pub(crate) tables: Tables,
    pub(crate) variables: BTreeMap<Box<str>, Variable>,
    /// What the objects are called, as long as that does not change.
    known: Option<FxHashSet<Identity>>,
}

/// One kustomization on the way.
pub(crate) struct Step<'s> {
    pub(crate) root: &'s Root,
    pub(crate) kustomization: &'s Kustomization,
    /// The folder, seen from the outermost one.
    pub(crate) origin: String,
    /// The namespace that outer kustomizations say, which charts are told.
    pub(crate) outer_namespace: Option<&'s str>,
}

/// Adds what a kustomization gives to what was gathered: nothing, or what came before a component.
pub(crate) fn accumulate(
    build: &mut Build<'_>,
    step: &Step<'_>,
    mut accumulator: Accumulator,
) -> Result<Accumulator, Refusal> {
    let Step { root, kustomization, .. } = step;
    accumulate_resources(build, step, &mut accumulator, &kustomization.resources)?;
    configure(build, root, kustomization, &mut accumulator)?;
    generate::run(build, step, &mut accumulator)?;
    for (path, place) in &kustomization.components {
        accumulator = accumulate_folder(build, step, accumulator, (path, *place), true)?;
    }
    accumulator.known = None;
    transform::run(build, step, &mut accumulator)?;
    plugins::run_validators(build, step)?;
    accumulator.add_variables(&kustomization.variables)?;
    Ok(accumulator)
}

/// Adds the objects of files and folders.
pub(crate) fn accumulate_resources(
    build: &mut Build<'_>,
    step: &Step<'_>,
    accumulator: &mut Accumulator,
    paths: &[Placed],
) -> Result<(), Refusal> {
    for (path, place) in paths {
        match step.root.open(build.files, path, *place) {
            Ok(opened) => {
                let mut resources = load_objects(build, &opened)?;
                if build.tells_origin {
                    let origin = join(&step.origin, path);
                    for resource in &mut resources {
                        resource.add_origin(&format!("path: {origin}\n"));
                    }
                }
                accumulator.append_all(resources)?;
            }
            Err(_) if is_remote(path) => match build.files.fetch(path, *place) {
                Some(opened) => {
                    build.has_outlines = true;
                    let mut resources = load_objects(build, &opened)?;
                    for resource in &mut resources {
                        resource.maker = Maker::Stranger;
                    }
                    accumulator.append_all(resources)?;
                }
                None => build.problems.push(Refusal::new(*place, NOT_FETCHED)),
            },
            Err(refusal) => {
                // Not a file that can be read: then it is a folder, or that was the reason.
                if step.root.enter(build.files, path, *place).is_err()
                    && build.files.look(&step.root.path(path)).is_some()
                {
                    let entered = step.root.enter(build.files, path, *place).err();
                    return Err(entered.filter(|_| is_folder(build, step.root, path)).unwrap_or(refusal));
                }
                let gathered = std::mem::take(accumulator);
                *accumulator = accumulate_folder(build, step, gathered, (path, *place), false)?;
            }
        }
    }
    Ok(())
}

fn is_folder(build: &Build<'_>, root: &Root, path: &str) -> bool {
    build.files.look(&root.path(path)) == Some(crate::files::Standing::Folder)
}

/// Adds what the kustomization in a folder gives.
fn accumulate_folder(
    build: &mut Build<'_>,
    step: &Step<'_>,
    accumulator: Accumulator,
    (path, place): (&str, Place),
    is_component: bool,
) -> Result<Accumulator, Refusal> {
    if is_remote(path) && !is_folder(build, step.root, path) {
        build.problems.push(Refusal::new(place, NOT_FETCHED));
        return Ok(accumulator);
    }
    let root = step.root.enter(build.files, path, place)?;
    let kustomization = load_kustomization(build, &root)?;
    build.schema.set(&mut *build.files, &root, &kustomization, false)?;
    if kustomization.is_component != is_component {
        return Err(Refusal::new(
            place,
            if is_component {
                "kustomize refuses this under `components`, because its kind is not Component"
            } else {
                "kustomize refuses a Component under `resources`; list it under `components`"
            },
        ));
    }
    let inner = Step {
        root: &root,
        kustomization: &kustomization,
        origin: join(&step.origin, path),
        outer_namespace: step.namespace(),
    };
    if is_component {
        // A component works on what is there.
        return accumulate(build, &inner, accumulator);
    }
    let found = accumulate(build, &inner, Accumulator::default())?;
    let mut accumulator = accumulator;
    accumulator.merge(found, place)?;
    Ok(accumulator)
}

/// Reads `configurations` and `crds`.
fn configure(
    build: &mut Build<'_>,
    root: &Root,
    kustomization: &Kustomization,
    accumulator: &mut Accumulator,
) -> Result<(), Refusal> {
    let mut own = Tables::defaults();
    for (path, place) in &kustomization.configurations {
        let node = read_value(build, root, path, *place)?;
        own.merge_config(&parse_config(&node)?).map_err(|cause| Refusal::new(*place, cause))?;
    }
    let conflict = |cause| Refusal::new(kustomization.place, cause);
    accumulator.tables.merge(&own).map_err(conflict)?;
    for (path, place) in &kustomization.crds {
        let node = read_value(build, root, path, *place)?;
        let config = config_of_crds(&node).map_err(|cause| Refusal::new(*place, cause))?;
        accumulator.tables.merge_config(&config).map_err(|cause| Refusal::new(*place, cause))?;
    }
    Ok(())
}

/// A file as Kubernetes reads YAML.
pub(crate) fn read_value(
    build: &mut Build<'_>,
    root: &Root,
    path: &str,
    place: Place,
) -> Result<plimsoll_model::Node, Refusal> {
    let opened = root.open(build.files, path, place)?;
    let text = text_of(&opened, place)?;
    plimsoll_yaml::value(text, opened.index).map_err(|fault| Refusal::new(fault.place, fault.cause))
}

/// A path as it is told from the outermost folder.
fn join(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

impl Step<'_> {
    /// The namespace that charts are told: its own, or that of an outer kustomization.
    pub(crate) fn namespace(&self) -> Option<&str> {
        self.kustomization.namespace.as_ref().map(|(name, _)| name.as_str()).or(self.outer_namespace)
    }

    /// The origin of what a plugin of this kustomization made.
    pub(crate) fn generated_by(&self, plugin: &str) -> String {
        let file = join(&self.origin, &self.kustomization.file_name);
        format!("configuredIn: {file}\nconfiguredBy:\n  apiVersion: builtin\n  kind: {plugin}\n")
    }

    /// Notes which plugin was at work, where origins are told: what has lost its origin came from there. The annotations
    /// are written anew by that, and all text then.
    pub(crate) fn note(&self, build: &Build<'_>, resources: &mut [Resource], plugin: &str) {
        if !build.tells_origin {
            return;
        }
        for resource in resources {
            let origin = resource.origin();
            resource.set_origin(origin.as_deref().unwrap_or(&self.generated_by(plugin)));
        }
    }
}
