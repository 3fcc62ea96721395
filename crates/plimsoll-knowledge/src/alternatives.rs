//! What files of one tree say twice.

use plimsoll_model::{Bundle, Confidence, FileIndex, Node, Object, ObjectId, Unit, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// The files of a unit, and what they have in common.
pub(crate) struct Files<'a> {
    bundle: &'a Bundle,
    declared: FxHashMap<FileIndex, FxHashSet<&'a ObjectId>>,
    /// Whether two files have much in common, for those that were asked for.
    alike: FxHashMap<[FileIndex; 2], bool>,
}

impl<'a> Files<'a> {
    pub(crate) fn new(bundle: &'a Bundle, unit: &'a Unit) -> Self {
        let mut declared: FxHashMap<FileIndex, FxHashSet<&ObjectId>> = FxHashMap::default();
        for object in &unit.objects {
            declared.entry(object.place().file).or_default().insert(&object.id);
        }
        Self { bundle, declared, alike: FxHashMap::default() }
    }

    /// How sure it is that two declarations of a folder are meant to be sent in one command. Files in other folders, under
    /// names that begin alike, with much in common, or of which several say the object are alternatives: people apply one
    /// or the other.
    pub(crate) fn meant(&mut self, both: [&Object; 2]) -> Confidence {
        let files = both.map(|object| object.place().file);
        let [first, second] = files;
        if first == second {
            return Confidence::Proved;
        }
        let declared = &self.declared;
        let have_much_in_common = || {
            let Some((one, other)) = declared.get(&first).zip(declared.get(&second)) else { return false };
            2 * one.intersection(other).count() >= one.len().min(other.len())
        };
        let mut saying = declared.values().filter(|ids| ids.contains(&both[0].id));
        if are_apart(self.bundle, both)
            || begin_alike(names(self.bundle, both))
            || *self.alike.entry(files).or_insert_with(have_much_in_common)
            || saying.nth(2).is_some()
        {
            Confidence::Heuristic
        } else {
            Confidence::Assumed
        }
    }
}

fn names<'a>(bundle: &'a Bundle, both: [&Object; 2]) -> [&'a str; 2] {
    both.map(|object| bundle.files.path(object.place())).map(|path| {
        let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
        name.rsplit_once('.').map_or(name, |(name, _)| name)
    })
}

/// Whether two names have their first word in common.
fn begin_alike(names: [&str; 2]) -> bool {
    let [first, second] = names.map(|name| name.split(['-', '_', '.']).next());
    first == second
}

pub(crate) fn are_apart(bundle: &Bundle, both: [&Object; 2]) -> bool {
    let [first, second] = both.map(|object| bundle.files.folder(object.place()));
    first != second
}

/// Each object that differs from the one before it of the same name.
pub(crate) fn contradictions(sent: Vec<&Object>) -> Vec<(&Object, &Object)> {
    let mut latest = FxHashMap::default();
    let named = sent.into_iter().filter(|object| object.text_at(&["metadata", "name"]).is_some());
    named
        .filter_map(|object| Some((latest.insert(&object.id, object)?, object)))
        .filter(|(first, second)| !is_same(first, second))
        .collect()
}

/// Whether two declarations say the same, wherever and in whatever order. A namespace that only one of them spells
/// out is no difference: it is part of the identity.
fn is_same(first: &Object, second: &Object) -> bool {
    let empty = Node { value: Value::Null, place: first.place() };
    let metadata = |object: &Object| object.root.get("metadata").cloned().unwrap_or_else(|| empty.clone());
    first.root.agrees(&second.root, |key| key != "metadata")
        && metadata(first).agrees(&metadata(second), |key| key != "namespace")
}

#[cfg(test)]
mod tests {
    use super::begin_alike;

    #[test]
    fn names_of_variants_begin_alike() {
        assert!(begin_alike(["filebeat", "filebeat-kubernetes"]));
        assert!(begin_alike(["storage-logs-prod", "storage-logs-v1.22"]));
        assert!(begin_alike(["cr-priority", "cr-prometheus"]));
        assert!(!begin_alike(["config-web", "deployment-web"]));
        assert!(!begin_alike(["a", "ab"]));
    }
}
