//! `replacements` (`filters/replacement/replacement.go`).

use super::matcher::{Matcher, Shape};
use super::structured::replace_inside;
use crate::accumulate::read_value;
use crate::build::Build;
use crate::files::Root;
use crate::identity::Id;
use crate::kustomization::{
    FieldOptions, Placed, Replacement, ReplacementSource, ReplacementTarget, Selector,
};
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::select::fits_texts;
use crate::tree::{Form, Node, Tag, follow, split_smartly, steps};
use plimsoll_model::Value;

/// The replacements of a kustomization, those of files included.
pub(crate) fn load_replacements<'k>(
    build: &mut Build<'_>,
    root: &Root,
    entries: &'k [Result<Replacement, Placed>],
) -> Result<Vec<Held<'k>>, Refusal> {
    let mut found = Vec::new();
    for entry in entries {
        match entry {
            Ok(replacement) => found.push(Held::Borrowed(replacement)),
            Err((path, place)) => {
                let node = read_value(build, root, path, *place)?;
                match &node.value {
                    Value::List(items) => {
                        for item in items {
                            found.push(Held::Owned(Replacement::parse(item)?));
                        }
                    }
                    Value::Map(_) => found.push(Held::Owned(Replacement::parse(&node)?)),
                    _ => return Err(Refusal::new(*place, "kustomize finds no replacement in this file")),
                }
            }
        }
    }
    Ok(found)
}

/// A replacement of the kustomization, or of a file.
pub(crate) enum Held<'k> {
    Borrowed(&'k Replacement),
    Owned(Replacement),
}

impl Held<'_> {
    fn get(&self) -> &Replacement {
        match self {
            Self::Borrowed(replacement) => replacement,
            Self::Owned(replacement) => replacement,
        }
    }
}

/// Copies values from field to field.
pub(crate) fn replace(
    build: &Build<'_>,
    resources: &mut [Resource],
    replacements: &[Held<'_>],
) -> Result<(), Refusal> {
    for replacement in replacements.iter().map(Held::get) {
        let Some(value) = value_of(build, resources, replacement)? else { continue };
        for target in &replacement.targets {
            put(resources, &value, target)?;
        }
        resources.iter_mut().for_each(Resource::settle_twins);
    }
    Ok(())
}

/// The value of a replacement. There may be none where something was not fetched.
fn value_of(
    build: &Build<'_>,
    resources: &[Resource],
    replacement: &Replacement,
) -> Result<Option<Node>, Refusal> {
    let refused = |cause: String| Err(Refusal::new(replacement.place, cause));
    match (&replacement.source, &replacement.source_value) {
        _ if replacement.targets.is_empty() => {
            refused("kustomize refuses a replacement without targets".into())
        }
        (None, None) => refused("kustomize refuses a replacement without a source".into()),
        (Some(_), Some(_)) => refused("kustomize refuses a replacement with two sources".into()),
        (None, Some((text, place))) => Ok(Some(Node::scalar(text.as_str(), Tag::None, *place))),
        (Some(source), None) => {
            let is_it = |resource: &&Resource| ids(resource).iter().any(|id| source.selector.selects(id));
            match resources.iter().filter(is_it).collect::<Vec<_>>().as_slice() {
                [resource] => field_of(resource, source).map(Some).or_else(refused),
                [] if build.is_incomplete() => Ok(None),
                [] => refused("kustomize finds no object for the source of this replacement".into()),
                _ => refused("kustomize finds several objects for the source of this replacement".into()),
            }
        }
    }
}

fn field_of(resource: &Resource, source: &ReplacementSource) -> Result<Node, String> {
    let path = if source.path.is_empty() { "metadata.name" } else { &source.path };
    let steps = steps(&split_smartly(path, '.'))?;
    let found = follow(&resource.root, &steps)?.filter(|node| !node.is_nothing());
    let found =
        found.ok_or_else(|| format!("kustomize finds no field `{path}` in {}", resource.id().words()))?;
    let mut value = found.alone();
    if !source.options.delimiter.is_empty() {
        let Form::Scalar(scalar) = &mut value.form else {
            return Err("kustomize can only cut a text at a delimiter".into());
        };
        let parts: Vec<&str> = scalar.text.split(&*source.options.delimiter).collect();
        let part = usize::try_from(source.options.index).ok().and_then(|at| parts.get(at));
        scalar.text = (*part.ok_or("kustomize finds no part with this index")?).into();
    }
    Ok(value)
}

/// Who an object is now, then who it was.
fn ids(resource: &Resource) -> Vec<Id> {
    std::iter::once(resource.id()).chain(resource.previous_ids()).collect()
}

fn put(resources: &mut [Resource], value: &Node, target: &ReplacementTarget) -> Result<(), Refusal> {
    let Some(select) = &target.select else {
        return Err(Refusal::new(target.place, "kustomize refuses a target without `select`"));
    };
    for resource in resources {
        let is_meant = |selector: &Selector, id: &Id| {
            selector.fits_kind(&id.gvk)
                && selector.fits_name(&id.name)
                && selector.fits_namespace(&id.namespace)
        };
        let ids = ids(resource);
        let is_rejected = target.reject.iter().any(|reject| {
            let has_texts = reject.labels.is_some() || reject.annotations.is_some();
            (has_texts && fits_texts(resource, reject))
                || (!reject.has_no_id() && ids.iter().any(|id| is_meant(reject, id)))
        });
        if is_rejected || !fits_texts(resource, select) || !ids.iter().any(|id| is_meant(select, id)) {
            continue;
        }
        put_into(resource, value, target)?;
    }
    Ok(())
}

fn put_into(resource: &mut Resource, value: &Node, target: &ReplacementTarget) -> Result<(), Refusal> {
    let default = [("metadata.name".to_owned(), target.place)];
    let paths = if target.paths.is_empty() { &default } else { target.paths.as_slice() };
    for (path, place) in paths {
        let parts = split_smartly(path, '.');
        let made = target.options.creates.then(|| (Shape::of(value), value.place));
        let matcher = Matcher { made };
        if replace_inside(&mut resource.root, value, &parts, matcher, *place)? {
            continue;
        }
        let id = resource.id();
        let mut found = |field: &mut Node| assign(field, value, &target.options);
        let count = matcher.visit(&mut resource.root, &parts, &mut found);
        let refused = |cause: &str| {
            Refusal::new(*place, format!("kustomize cannot set `{path}` of {}: {cause}", id.words()))
        };
        if count.map_err(|cause| refused(&cause))? == 0 {
            return Err(refused("there is no such field"));
        }
    }
    Ok(())
}

/// Sets a field; a scalar keeps its type.
fn assign(field: &mut Node, value: &Node, options: &FieldOptions) -> Result<(), String> {
    let mut text = value.written().to_owned();
    if !options.delimiter.is_empty() {
        if !field.is_scalar() {
            return Err("a delimiter needs a text".to_owned());
        }
        let mut parts: Vec<&str> = field.written().split(&*options.delimiter).collect();
        let said = value.said();
        match usize::try_from(options.index).ok().map(|at| (at, parts.len())) {
            None => parts.insert(0, said),
            Some((at, count)) if at >= count => parts.push(said),
            Some((at, _)) => parts.splice(at..=at, [said]).for_each(drop),
        }
        text = parts.join(&options.delimiter);
    }
    match &mut field.form {
        Form::Scalar(scalar) => scalar.text = text.into(),
        form => *form = value.alone().form,
    }
    field.place = value.place;
    Ok(())
}
