//! Maps with text keys. `set`, `unset` and `merge` change them in place, so everyone who has one sees it.

use super::{Item, Value};
use std::cell::{Ref, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A map that is shared by all who hold it.
#[derive(Debug, Clone)]
pub(crate) struct Map {
    kind: MapKind,
    entries: Rc<RefCell<BTreeMap<Rc<str>, Item>>>,
}

/// The type of a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MapKind {
    Any,
    Texts,
    /// Helm 3's name for a map of values.
    Values3,
    /// Helm 4's name for a map of values.
    Values4,
}

impl MapKind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Any => "map[string]interface {}",
            Self::Texts => "map[string]string",
            Self::Values3 => "chartutil.Values",
            Self::Values4 => "common.Values",
        }
    }
}

impl Map {
    pub(crate) fn new(kind: MapKind, entries: BTreeMap<Rc<str>, Item>) -> Self {
        Self { kind, entries: Rc::new(RefCell::new(entries)) }
    }

    /// A `map[string]interface {}`.
    pub(crate) fn of_any(entries: BTreeMap<Rc<str>, Item>) -> Self {
        Self::new(MapKind::Any, entries)
    }

    /// A map of values that have no place.
    pub(crate) fn of_values<const N: usize>(entries: [(&str, Value); N]) -> Self {
        Self::of_any(entries.into_iter().map(|(key, value)| (key.into(), value.into())).collect())
    }

    pub(crate) fn kind(&self) -> MapKind {
        self.kind
    }

    /// The same map under another type.
    pub(crate) fn with_kind(&self, kind: MapKind) -> Self {
        Self { kind, entries: Rc::clone(&self.entries) }
    }

    /// Whether both are one map, not two that are equal.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.entries, &other.entries)
    }

    /// The entries. Nothing that may change the map is done while they are held.
    pub(crate) fn borrow(&self) -> Ref<'_, BTreeMap<Rc<str>, Item>> {
        self.entries.borrow()
    }

    pub(crate) fn get(&self, key: &str) -> Option<Item> {
        self.entries.borrow().get(key).cloned()
    }

    pub(crate) fn set(&self, key: Rc<str>, item: Item) {
        self.entries.borrow_mut().insert(key, item);
    }

    pub(crate) fn remove(&self, key: &str) {
        self.entries.borrow_mut().remove(key);
    }

    /// A copy of the entries as they are now.
    pub(crate) fn entries(&self) -> Vec<(Rc<str>, Item)> {
        self.borrow().iter().map(|(key, item)| (Rc::clone(key), item.clone())).collect()
    }

    /// What a missing key stands for.
    pub(crate) fn zero(&self) -> Value {
        if self.kind == MapKind::Texts { Value::from("") } else { Value::Nil }
    }
}

impl From<Map> for Value {
    fn from(map: Map) -> Self {
        Self::Map(map)
    }
}
