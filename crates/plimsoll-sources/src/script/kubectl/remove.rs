//! `kubectl delete`.

use super::super::flags::Flags;
use super::super::reader::Reader;
use super::super::simple::Call;
use super::super::state::{Flow, State};
use super::deliver::{built, file_names, retain_selected};
use super::namespace_of;
use super::targets::{names, object_id};
use plimsoll_model::{Action, ObjectId, Removal};

pub(super) fn run(reader: &mut Reader<'_, '_>, call: &Call<'_>, flags: &Flags, state: State) -> Flow {
    if flags.is_dry() {
        return Flow::either(state);
    }
    let files = file_names(flags);
    let found = if files.is_empty() && flags.value("kustomize").is_none() {
        named(reader, flags, &state)
    } else {
        built(reader, call, flags, &files, &state).ok().map(|mut found| {
            retain_selected(flags, &mut found.objects);
            found.objects.into_iter().map(|object| object.id).collect()
        })
    };
    let objects = found.unwrap_or_else(|| {
        reader.problem(call.at, false, "which objects this deletes is not known".to_owned());
        Vec::new()
    });
    // kubectl waits until they are gone unless told otherwise (kubectl v0.36.4 pkg/cmd/delete/delete_flags.go).
    let removal =
        Removal { objects, waits: !flags.denies("wait"), ignores_missing: flags.has("ignore-not-found") };
    let step = reader.emit(Action::Remove(removal), call.at, call.says, &state);
    Reader::outcomes(step, state)
}

fn named(reader: &Reader<'_, '_>, flags: &Flags, state: &State) -> Option<Vec<ObjectId>> {
    let named = names(flags.words.get(1..)?)?;
    let namespace = namespace_of(flags, state).unwrap_or_else(|| reader.namespace.to_owned());
    let ids: Vec<ObjectId> = named
        .iter()
        .filter_map(|(resource, name)| Some(object_id(resource, name.as_deref()?, &namespace)))
        .collect();
    (!ids.is_empty()).then_some(ids)
}
