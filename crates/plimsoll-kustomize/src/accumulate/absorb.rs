//! Adding objects to those that are there: each once, unless a generator merges or replaces
//! (`resmap/reswrangler.go`).

use super::Accumulator;
use crate::generate::merge_data;
use crate::identity::Id;
use crate::kustomization::Variable;
use crate::refusal::Refusal;
use crate::resource::{Behavior, Maker, Resource, Texts};
use plimsoll_model::Place;
use rustc_hash::FxHashSet;

/// What makes an object the same as another.
pub(crate) type Identity = (crate::identity::Gvk, Box<str>, Box<str>);

/// What makes an object the same as another.
pub(crate) fn identity(id: &Id) -> Identity {
    (id.gvk.clone(), id.name.clone(), id.effective_namespace().into())
}

impl Accumulator {
    /// Adds objects that must be new.
    pub(crate) fn append_all(&mut self, resources: Vec<Resource>) -> Result<(), Refusal> {
        let known = self.known.get_or_insert_with(|| {
            self.resources.iter().map(|known| identity(&known.id())).collect::<FxHashSet<Identity>>()
        });
        for resource in resources {
            let id = resource.id();
            if !known.insert(identity(&id)) {
                let cause = format!("kustomize refuses an object that is listed twice: {}", id.words());
                return Err(resource.refusal(cause));
            }
            self.resources.push(resource);
        }
        Ok(())
    }

    /// Adds everything that was gathered elsewhere.
    pub(super) fn merge(&mut self, other: Accumulator, place: Place) -> Result<(), Refusal> {
        self.append_all(other.resources)?;
        self.tables.merge(&other.tables).map_err(|cause| Refusal::new(place, cause))?;
        for variable in other.variables.into_values() {
            self.add_variable(variable)?;
        }
        Ok(())
    }

    /// Adds all that a generator made.
    pub(crate) fn absorb_all(&mut self, made: Vec<Resource>, is_incomplete: bool) -> Result<(), Refusal> {
        made.into_iter().try_for_each(|resource| self.absorb(resource, is_incomplete))
    }

    /// Adds what a generator made: as a new object, or to the one that is there. Without that object there may still
    /// be a reason: it was not fetched.
    pub(crate) fn absorb(&mut self, mut resource: Resource, is_incomplete: bool) -> Result<(), Refusal> {
        self.known = None;
        let id = resource.id();
        let is_it = |known: &Resource| {
            !known.is_gone()
                && (known.id().is_same(&id)
                    || known.previous_ids().iter().any(|previous| id.is_same(previous)))
        };
        let matches: Vec<usize> =
            self.resources.iter().enumerate().filter(|(_, known)| is_it(known)).map(|(at, _)| at).collect();
        let found = match matches.as_slice() {
            [] => None,
            [at] => self.resources.get_mut(*at),
            _ => {
                return Err(
                    resource.refusal("kustomize finds several objects that this could be merged into")
                );
            }
        };
        match (found, resource.behavior) {
            (None, Behavior::Create) => self.resources.push(resource),
            (None, _) if is_incomplete => self.resources.push(resource),
            (None, _) => {
                let cause = format!("kustomize finds no {} to merge or replace", id.words());
                return Err(resource.refusal(cause));
            }
            (Some(_), Behavior::Create) => {
                let cause = format!("kustomize refuses this: {} is there; say `behavior: merge`", id.words());
                return Err(resource.refusal(cause));
            }
            (Some(old), behavior) => {
                let origin = old.origin().filter(|_| behavior == Behavior::Merge);
                take_over(&mut resource, old);
                if behavior == Behavior::Merge {
                    merge_data(&mut resource, old);
                }
                if let Some(origin) = origin {
                    resource.set_origin(&origin);
                }
                resource.behavior = old.behavior;
                *old = resource;
            }
        }
        Ok(())
    }

    /// Notes variables, and which object each of them reads.
    pub(super) fn add_variables(&mut self, variables: &[Variable]) -> Result<(), Refusal> {
        for variable in variables {
            let Variable { object, place, .. } = variable;
            let wanted = Id {
                gvk: object.gvk.clone(),
                name: object.name.clone(),
                namespace: object.namespace.clone(),
                is_cluster_scoped: crate::schema::is_cluster_scoped(&object.gvk),
            };
            let has_namespace = !wanted.namespace.is_empty() || wanted.is_cluster_scoped;
            let is_it = |id: &Id| {
                id.name == wanted.name
                    && id.gvk == wanted.gvk
                    && (!has_namespace || id.is_same_namespace(&wanted))
            };
            let is_meant = |known: &Resource| known.previous_ids().iter().any(is_it) || is_it(&known.id());
            let mut found = self.resources.iter_mut().filter(|known| is_meant(known));
            let first = found.next();
            if found.next().is_some() {
                let cause = format!(
                    "kustomize finds several objects that the variable `{}` could mean",
                    variable.name
                );
                return Err(Refusal::new(*place, cause));
            }
            if let Some(resource) = first {
                resource.variables.push(variable.name.clone());
            }
        }
        variables.iter().try_for_each(|variable| self.add_variable(variable.clone()))
    }

    fn add_variable(&mut self, variable: Variable) -> Result<(), Refusal> {
        let (name, place) = (variable.name.clone(), variable.place);
        match self.variables.insert(name.clone(), variable) {
            None => Ok(()),
            Some(_) => Err(Refusal::new(place, format!("kustomize refuses a variable twice: `{name}`"))),
        }
    }
}

/// Names, labels, annotations and what is remembered of an object go to the one that takes its place
/// (`resource/resource.go`, `CopyMergeMetaDataFieldsFrom`).
fn take_over(new: &mut Resource, old: &Resource) {
    for field in ["labels", "annotations"] {
        let mut texts: Texts = old.texts(field);
        texts.extend(new.texts(field));
        new.set_texts(field, &texts);
    }
    new.set_name(old.name());
    new.set_namespace(old.namespace());
    new.previous.clone_from(&old.previous);
    new.prefixes.clone_from(&old.prefixes);
    new.suffixes.clone_from(&old.suffixes);
    new.variables.clone_from(&old.variables);
    new.maker = match old.maker {
        Maker::Chart => Maker::Nobody,
        maker => maker,
    };
    // Of what was made by generators, only what both want hashed is.
    new.needs_hash &= old.needs_hash;
}
