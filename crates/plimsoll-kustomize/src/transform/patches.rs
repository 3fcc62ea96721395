//! `patches`, `patchesStrategicMerge` and `patchesJson6902`
//! (`internal/builtins/PatchTransformer.go` and its two older siblings).

use super::drop_empty;
use super::json_patch::{Operation, apply};
use crate::accumulate::identity;
use crate::build::Build;
use crate::files::Root;
use crate::identity::Id;
use crate::inline::Origin;
use crate::kustomization::{Patch, Placed};
use crate::load::{hide_secrets, objects_in, text_of};
use crate::merge::merge;
use crate::refusal::Refusal;
use crate::resource::{Maker, Resource};
use crate::select::{select, with_any_id};
use crate::tree::{Node, Tag, through_json};
use plimsoll_model::Place;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// A patch as it was read.
enum Loaded {
    Strategic(Vec<Resource>),
    Json(Vec<Operation>),
}

/// The text of a patch and where its lines stand.
struct Text {
    text: Arc<str>,
    origin: Origin,
}

/// Applies one entry of `patches`.
pub(crate) fn patch(
    build: &mut Build<'_>,
    root: &Root,
    patch: &Patch,
    resources: &mut Vec<Resource>,
) -> Result<(), Refusal> {
    let text = match (&patch.text, &patch.path) {
        (Some((text, place)), None) if !text.trim().is_empty() => inline(build, text.trim_end(), *place),
        (None, Some(named)) => file(build, root, named)?,
        (Some(_), Some(_)) => {
            return Err(Refusal::new(patch.place, "kustomize refuses a patch with both `patch` and `path`"));
        }
        _ => return Err(Refusal::new(patch.place, "kustomize refuses an entry without `patch` and `path`")),
    };
    match load(&text, patch.place)? {
        Loaded::Strategic(patches) => strategic(build, patch, patches, resources),
        Loaded::Json(operations) => {
            let Some(target) = &patch.target else {
                return Err(Refusal::new(patch.place, "kustomize refuses a JSON patch without a target"));
            };
            for at in select(resources, target) {
                if let Some(resource) = resources.get_mut(at) {
                    resource.remember();
                    patch_one(resource, &operations)?;
                }
            }
            Ok(())
        }
    }
}

/// Applies `patchesStrategicMerge`.
pub(crate) fn patch_strategically(
    build: &mut Build<'_>,
    root: &Root,
    patches: &[Placed],
    resources: &mut Vec<Resource>,
) -> Result<(), Refusal> {
    let mut loaded = Vec::new();
    for (entry, place) in patches {
        // An entry is a patch, or the path of one.
        let is_patch = objects_in(entry, Place::default()).is_ok();
        let text = if is_patch {
            inline(build, entry, *place)
        } else {
            file(build, root, &(entry.clone(), *place))?
        };
        loaded.extend(read_objects(&text)?);
    }
    if let ([(_, place), ..], []) = (patches, loaded.as_slice()) {
        return Err(Refusal::new(*place, "kustomize refuses patches that are all empty"));
    }
    for patch in loaded {
        let Some(at) = only_one(build, resources, &patch)? else { continue };
        apply_to(build, &[at], &patch, resources)?;
    }
    Ok(())
}

/// Applies one entry of `patchesJson6902`.
pub(crate) fn patch_by_json(
    build: &mut Build<'_>,
    root: &Root,
    patch: &Patch,
    resources: &mut [Resource],
) -> Result<(), Refusal> {
    let Some(target) = patch.target.as_ref().filter(|target| target.name.is_some()) else {
        return Err(Refusal::new(patch.place, "kustomize refuses a JSON patch whose target has no name"));
    };
    let text = match (&patch.text, &patch.path) {
        (Some((text, place)), None) => inline(build, text, *place),
        (None, Some(named)) => file(build, root, named)?,
        _ => return Err(Refusal::new(patch.place, "kustomize wants either `patch` or `path` here")),
    };
    let operations = operations(&text)?;
    if operations.is_empty() {
        return Err(Refusal::new(patch.place, "kustomize refuses an empty JSON patch"));
    }
    for at in select(resources, target) {
        if let Some(resource) = resources.get_mut(at) {
            patch_one(resource, &operations)?;
        }
    }
    Ok(())
}

/// Changes one object. What an outline does not have may be in the object.
fn patch_one(resource: &mut Resource, operations: &[Operation]) -> Result<(), Refusal> {
    match apply_json(resource, operations) {
        Err(_) if resource.maker == Maker::Stranger => Ok(()),
        applied => applied,
    }
}

fn inline(build: &mut Build<'_>, text: &str, place: Place) -> Text {
    let file = build.files.text(place.file).unwrap_or_default();
    let origin = Origin::of(&file, place);
    hide_secrets(build, text, origin.start());
    Text { text: text.into(), origin }
}

fn file(build: &mut Build<'_>, root: &Root, (path, place): &Placed) -> Result<Text, Refusal> {
    let opened = root.open(build.files, path, *place)?;
    let text: Arc<str> = text_of(&opened, *place)?.into();
    let start = Place { file: opened.index, line: 1, column: 1 };
    hide_secrets(build, &text, start);
    Ok(Text { text, origin: Origin::Block(start, 0) })
}

fn read_objects(text: &Text) -> Result<Vec<Resource>, Refusal> {
    let settle = |mut refusal: Refusal| {
        text.origin.settle_place(&mut refusal.place);
        refusal
    };
    let mut objects = objects_in(&text.text, text.origin.start()).map_err(settle)?;
    for object in &mut objects {
        text.origin.settle(&mut object.root);
    }
    Ok(objects)
}

/// Whatever a text is: objects to merge, or operations.
fn load(text: &Text, place: Place) -> Result<Loaded, Refusal> {
    let (objects, operations) = (read_objects(text), operations(text));
    match (objects, operations) {
        (Ok(objects), Ok(operations)) if !objects.is_empty() && !operations.is_empty() => {
            Err(Refusal::new(place, "kustomize refuses what is both objects and a JSON patch"))
        }
        (Ok(objects), _) => Ok(Loaded::Strategic(objects)),
        (Err(_), Ok(operations)) => Ok(Loaded::Json(operations)),
        (Err(refusal), Err(_)) => {
            let cause = format!("kustomize reads neither objects nor a JSON patch here: {}", refusal.cause);
            Err(Refusal::new(refusal.place, cause))
        }
    }
}

fn operations(text: &Text) -> Result<Vec<Operation>, Refusal> {
    let start = text.origin.start();
    let mut found = Operation::parse(&text.text, start)?;
    for operation in &mut found {
        operation.settle(text.origin);
    }
    Ok(found)
}

fn strategic(
    build: &mut Build<'_>,
    patch: &Patch,
    patches: Vec<Resource>,
    resources: &mut Vec<Resource>,
) -> Result<(), Refusal> {
    let allows = Allowed { name: patch.allows_name_change, kind: patch.allows_kind_change };
    let mut patches = patches;
    if allows.name || allows.kind {
        // That is noted in the annotations of the patch, which are all text from then on.
        for one in &mut patches {
            let annotations = one.texts("annotations");
            one.set_texts("annotations", &annotations);
        }
    }
    let Some(target) = &patch.target else {
        for one in patches {
            if let Some(at) = only_one(build, resources, &one)?
                && let Some(resource) = resources.get_mut(at)
            {
                merge_into(build, resource, one.root, allows)?;
            }
        }
        return Ok(());
    };
    match patches.as_slice() {
        [] => Ok(()),
        [one] => {
            let chosen = select(resources, target);
            apply_allowed(build, &chosen, one, allows, resources)
        }
        _ => {
            Err(Refusal::new(patch.place, "kustomize refuses a target for several objects; split the patch"))
        }
    }
}

/// The one object that a patch names. There may be none where something was not fetched.
fn only_one(build: &Build<'_>, resources: &[Resource], patch: &Resource) -> Result<Option<usize>, Refusal> {
    let id = patch.original_id();
    match with_any_id(resources, &id).as_slice() {
        [at] => Ok(Some(*at)),
        [] if build.is_incomplete() => Ok(None),
        [] => Err(patch.refusal(format!("kustomize finds no {} for this patch", id.words()))),
        _ => Err(patch.refusal(format!("kustomize finds several {} for this patch", id.words()))),
    }
}

/// What a patch may change besides the rest.
#[derive(Debug, Clone, Copy, Default)]
struct Allowed {
    name: bool,
    kind: bool,
}

fn apply_to(
    build: &mut Build<'_>,
    chosen: &[usize],
    patch: &Resource,
    resources: &mut Vec<Resource>,
) -> Result<(), Refusal> {
    apply_allowed(build, chosen, patch, Allowed::default(), resources)
}

/// Merges copies of a patch into several objects (`resmap/reswrangler.go`, `ApplySmPatch`). Labels and annotations of
/// such a copy are all text, so none of them can be taken away by it.
fn apply_allowed(
    build: &mut Build<'_>,
    chosen: &[usize],
    patch: &Resource,
    allows: Allowed,
    resources: &mut Vec<Resource>,
) -> Result<(), Refusal> {
    let (name, namespace, kind) = (patch.name(), patch.namespace(), patch.gvk().kind);
    // Chosen by what they are called now, which may be true of others too.
    let chosen: FxHashSet<Id> = chosen.iter().filter_map(|at| resources.get(*at)).map(Resource::id).collect();
    for resource in resources.iter_mut().filter(|resource| chosen.contains(&resource.id())) {
        let mut copy = patch.clone();
        for field in ["labels", "annotations"] {
            let texts = copy.texts(field);
            copy.set_texts(field, &texts);
        }
        copy.set_name(name);
        copy.set_namespace(namespace);
        let place = copy.root.get("apiVersion").map_or(copy.root.place, |node| node.place);
        let api_version = resource.gvk().api_version();
        copy.root.set("apiVersion", Node::scalar(api_version, Tag::None, place));
        let place = copy.root.get("kind").map_or(copy.root.place, |node| node.place);
        copy.root.set("kind", Node::scalar(kind.clone(), Tag::None, place));
        merge_into(build, resource, copy.root, allows)?;
    }
    drop_empty(resources);
    let mut seen = FxHashSet::default();
    match resources.iter().find(|resource| !seen.insert(identity(&resource.id()))) {
        Some(twice) => Err(patch.refusal(format!("kustomize refuses two objects {}", twice.id().words()))),
        None => Ok(()),
    }
}

/// Merges a patch into an object, which keeps who it is unless the patch may change that.
fn merge_into(
    build: &mut Build<'_>,
    resource: &mut Resource,
    patch: Node,
    allows: Allowed,
) -> Result<(), Refusal> {
    let (name, namespace) = (resource.name().to_owned(), resource.namespace().to_owned());
    let kind = resource.root.get("kind").cloned();
    let places = ["name", "namespace"].map(|field| place_of(&resource.root, field));
    let api_version = resource.root.get("apiVersion").map(|node| node.place);
    let place = resource.root.place;
    if allows.name || allows.kind {
        resource.remember();
    }
    if takes_annotations_away(&patch) {
        resource.forget();
    }
    let object = std::mem::replace(&mut resource.root, Node::map(place));
    let Some(merged) = merge(object, patch, build.schema.definitions())? else { return Ok(()) };
    resource.root = merged;
    if resource.is_gone() {
        return Ok(());
    }
    if let (false, Some(kind)) = (allows.kind, kind) {
        resource.root.set("kind", kind);
    }
    if let (Some(field), Some(place)) = (resource.root.get_mut("apiVersion"), api_version) {
        field.place = place;
    }
    if !allows.name {
        resource.set_name(&name);
        restore(&mut resource.root, "name", places[0]);
    }
    resource.set_namespace(&namespace);
    restore(&mut resource.root, "namespace", places[1]);
    resource.settle_twins();
    Ok(())
}

fn takes_annotations_away(patch: &Node) -> bool {
    let annotations = patch.get("metadata").and_then(|metadata| metadata.get("annotations"));
    annotations.is_some_and(|node| node.is_null() || matches!(node.said_at("$patch"), "replace" | "delete"))
}

fn place_of(root: &Node, field: &str) -> Option<Place> {
    Some(root.get("metadata")?.get(field)?.place)
}

fn restore(root: &mut Node, field: &str, place: Option<Place>) {
    let found = root.get_mut("metadata").and_then(|metadata| metadata.get_mut(field));
    if let (Some(node), Some(place)) = (found, place) {
        node.place = place;
    }
}

/// Applies operations to an object; it goes through JSON on the way.
fn apply_json(resource: &mut Resource, operations: &[Operation]) -> Result<(), Refusal> {
    through_json(&mut resource.root)?;
    resource.part_twins();
    if resource.has_notes() {
        let place = resource.root.place;
        if let Some(metadata) = resource.root.map_at("metadata", place) {
            metadata.map_at("annotations", place);
        }
    }
    apply(&mut resource.root, operations)?;
    through_json(&mut resource.root)?;
    let annotations = resource.texts("annotations");
    resource.set_texts("annotations", &annotations);
    Ok(())
}
