//! Maps with text keys. `set`, `unset` and `merge` change them in place, so everyone who has one sees it.

use super::{Item, Value};
use rustc_hash::FxHashSet;
use std::cell::{Cell, Ref, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A map that is shared by all who hold it.
#[derive(Debug, Clone)]
pub(crate) struct Map {
    kind: MapKind,
    shared: Rc<Shared>,
}

#[derive(Debug)]
struct Shared {
    entries: RefCell<BTreeMap<Rc<str>, Item>>,
    /// How often it was changed.
    changes: Cell<u64>,
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
    /// Whether it is Helm's map of values, which has methods.
    pub(crate) fn is_values(self) -> bool {
        matches!(self, Self::Values3 | Self::Values4)
    }

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
        Self { kind, shared: Rc::new(Shared { entries: RefCell::new(entries), changes: Cell::new(0) }) }
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
        Self { kind, shared: Rc::clone(&self.shared) }
    }

    /// Whether both are one map, not two that are equal.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.shared, &other.shared)
    }

    /// The entries. Nothing that may change the map is done while they are held.
    pub(crate) fn borrow(&self) -> Ref<'_, BTreeMap<Rc<str>, Item>> {
        self.shared.entries.borrow()
    }

    pub(crate) fn get(&self, key: &str) -> Option<Item> {
        self.borrow().get(key).cloned()
    }

    pub(crate) fn set(&self, key: Rc<str>, item: Item) {
        self.note_change();
        self.set_unseen(key, item);
    }

    /// Sets something without a change to be seen.
    pub(crate) fn set_unseen(&self, key: Rc<str>, item: Item) {
        self.shared.entries.borrow_mut().insert(key, item);
    }

    pub(crate) fn remove(&self, key: &str) {
        self.note_change();
        self.shared.entries.borrow_mut().remove(key);
    }

    fn note_change(&self) {
        self.shared.changes.set(self.shared.changes.get() + 1);
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

/// Maps, and how often each had been changed when they were noted.
#[derive(Debug, Default)]
pub(crate) struct Unchanged {
    maps: Vec<(Map, u64)>,
    known: FxHashSet<*const Shared>,
}

impl Unchanged {
    /// Notes maps and all maps inside.
    pub(crate) fn over<'m>(maps: impl Iterator<Item = &'m Map>) -> Self {
        let mut noted = Self::default();
        maps.for_each(|map| noted.add(map));
        noted
    }

    /// Whether none was changed since.
    pub(crate) fn holds(&self) -> bool {
        self.maps.iter().all(|(map, changes)| map.shared.changes.get() == *changes)
    }

    fn add(&mut self, map: &Map) {
        if self.known.insert(Rc::as_ptr(&map.shared)) {
            self.maps.push((map.clone(), map.shared.changes.get()));
            map.borrow().values().for_each(|item| self.add_value(&item.value));
        }
    }

    fn add_value(&mut self, value: &Value) {
        match value {
            Value::Map(map) => self.add(map),
            Value::List(list) => list.items().iter().for_each(|item| self.add_value(&item.value)),
            _ => {}
        }
    }
}
