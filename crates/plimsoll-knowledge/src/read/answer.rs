//! What a tool prints when the API server refuses a request, seen on a real server v1.36.4.

mod helm;

use crate::view::{Delivered, View};
use plimsoll_model::Milestone::Stored;
use plimsoll_model::{Bundle, Moment, ObjectId, Tool};

/// The whole text for a request that was refused for a reason: `InternalError`, `NotFound`, or none.
pub(crate) fn refused(view: &View<'_>, delivered: Delivered<'_>, reason: &str, text: &str) -> String {
    if let Some(failed) = by_helm(view, delivered) {
        return failed.refused(text);
    }
    let reason = if reason.is_empty() { String::new() } else { format!(" ({reason})") };
    let file = source(view, delivered);
    match verb(view, delivered) {
        Some(verb) => format!("Error from server{reason}: error when {verb} \"{file}\": {text}"),
        None => format!("Error from server{reason}: {text}"),
    }
}

/// The whole text for an object that is not valid, with the reason.
pub(crate) fn invalid(view: &View<'_>, delivered: Delivered<'_>, why: &str) -> String {
    let id = &delivered.object.id;
    let is_by_helm = by_helm(view, delivered).is_some();
    if !is_by_helm && verb(view, delivered).is_none() {
        return format!("The {} \"{}\" is invalid: {why}", id.kind(), id.name());
    }
    let group = if id.group().is_empty() { String::new() } else { format!(".{}", id.group()) };
    let text = format!("{}{group} \"{}\" is invalid: {why}", id.kind(), id.name());
    refused(view, delivered, "Invalid", &text)
}

/// Whether the request changes an object that an earlier step, or the release before, has delivered.
pub(crate) fn is_update(view: &View<'_>, delivered: Delivered<'_>) -> bool {
    let is_replaced = view.delivery(delivered.step).is_some_and(|delivery| delivery.verb == "replace");
    let first = view.requests(&delivered.object.id, Stored).next();
    let is_later =
        first.is_some_and(|first| first != Moment::request(delivered.step, &delivered.object.id, Stored));
    is_replaced || is_later || is_there(view, &delivered.object.id)
}

/// Whether an object is there before the run.
fn is_there(view: &View<'_>, id: &ObjectId) -> bool {
    let before = |before: &Bundle| before.deliveries().any(|(_, object)| object.id == *id);
    view.scene.operation.is_change() && view.bundle.before.as_deref().is_none_or(before)
}

/// Where kubectl says that an object comes from.
fn source<'a>(view: &View<'a>, delivered: Delivered<'_>) -> &'a str {
    let named = view.delivery(delivered.step).and_then(|delivery| delivery.source.as_deref());
    named.unwrap_or_else(|| view.bundle.files.path(delivered.object.place()))
}

/// Server-side apply names neither verb nor file.
fn verb(view: &View<'_>, delivered: Delivered<'_>) -> Option<&'static str> {
    let delivery = view.delivery(delivered.step)?;
    if delivery.flags.iter().any(|flag| flag.starts_with("--server-side")) {
        return None;
    }
    Some(match delivery.verb.as_str() {
        "replace" => "replacing",
        "apply" if is_update(view, delivered) => "patching",
        _ => "creating",
    })
}

/// What is printed of an object whose kind is not found; kubernetes v1.36.4 `cli-runtime/pkg/resource/mapper.go`, which
/// Helm uses as well. kubectl prints several such lines without the leading `error: `.
pub(crate) fn not_mapped(view: &View<'_>, delivered: Delivered<'_>) -> String {
    let text = unmapped(view, delivered);
    match by_helm(view, delivered) {
        Some(failed) => failed.not_mapped(&text),
        None => text,
    }
}

/// What Helm prints of an object of the revision before whose kind is not found.
pub(crate) fn not_mapped_before(view: &View<'_>, delivered: Delivered<'_>) -> String {
    let text = unmapped(view, delivered);
    by_helm(view, delivered).map_or_else(|| text.clone(), |failed| failed.not_mapped_before(&text))
}

fn unmapped(view: &View<'_>, delivered: Delivered<'_>) -> String {
    let object = delivered.object;
    let helm = by_helm(view, delivered);
    format!(
        "resource mapping not found for name: \"{}\" namespace: \"{}\" from \"{}\": no matches for kind \"{}\" in \
         version \"{}\"\nensure CRDs are installed first",
        object.id.name(),
        object.text_at(&["metadata", "namespace"]).unwrap_or_default(),
        if helm.is_some() { "" } else { source(view, delivered) },
        object.id.kind(),
        object.api_version()
    )
}

fn by_helm<'a>(view: &View<'a>, delivered: Delivered<'a>) -> Option<helm::Failed<'a>> {
    let delivery = view.delivery(delivered.step).filter(|delivery| delivery.tool == Tool::Helm)?;
    let (operation, object) = (view.scene.operation, delivered.object);
    let (is_update, file) = (is_there(view, &object.id), view.bundle.files.path(object.place()));
    Some(helm::Failed { operation, delivery, object, is_update, file })
}
