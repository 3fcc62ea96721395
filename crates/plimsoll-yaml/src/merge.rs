//! The entries of a map while it is read: equal keys and the merge key `<<`.

use super::build::Origin;
use super::document::Fault;
use plimsoll_model::{Key, Node, Place, Value};
use std::collections::BTreeMap;

/// Entries in the order of writing. Of equal keys the last one holds, also where one of them was merged: go-yaml v2
/// merges in place (`go.yaml.in/yaml/v2` v2.4.3, `decode.go`, `mapping`).
#[derive(Debug, Default)]
pub(super) struct Entries {
    entries: Vec<(Key, Node)>,
    /// How many of the entries were merged, per position; empty where no `<<` was met.
    is_merged: Vec<bool>,
}

/// Below this many entries it is faster to compare them all than to sort them.
const FEW: usize = 16;

impl Entries {
    /// Adds an entry that was written in this map.
    pub(super) fn add(&mut self, key: Key, node: Node) {
        self.entries.push((key, node));
        if !self.is_merged.is_empty() {
            self.is_merged.push(false);
        }
    }

    fn add_merged(&mut self, entries: Vec<(Key, Node)>) {
        self.is_merged.resize(self.entries.len(), false);
        self.entries.extend(entries);
        self.is_merged.resize(self.entries.len(), true);
    }

    /// The entries with distinct keys; places of keys written twice are added to `duplicates`.
    pub(super) fn finish(mut self, duplicates: &mut Vec<Place>) -> Vec<(Key, Node)> {
        if self.has_equal_keys() {
            self.drop_overridden(duplicates);
        }
        self.entries.shrink_to_fit();
        self.entries
    }

    fn has_equal_keys(&self) -> bool {
        if self.entries.len() <= FEW {
            let mut rest = self.entries.iter();
            while let Some((key, _)) = rest.next() {
                if rest.as_slice().iter().any(|(other, _)| other.text == key.text) {
                    return true;
                }
            }
            return false;
        }
        let mut keys: Vec<&str> = self.entries.iter().map(|(key, _)| &*key.text).collect();
        keys.sort_unstable();
        keys.windows(2).any(|pair| matches!(pair, [left, right] if left == right))
    }

    fn drop_overridden(&mut self, duplicates: &mut Vec<Place>) {
        let mut positions: BTreeMap<Box<str>, usize> = BTreeMap::new();
        let mut kept: Vec<(Key, Node)> = Vec::with_capacity(self.entries.len());
        let mut kept_is_merged: Vec<bool> = Vec::new();
        let merged = self.is_merged.iter().copied().chain(std::iter::repeat(false));
        for ((key, node), is_merged) in self.entries.drain(..).zip(merged) {
            let position = *positions.entry(key.text.clone()).or_insert(kept.len());
            if let (Some(earlier), Some(was_merged)) =
                (kept.get_mut(position), kept_is_merged.get_mut(position))
            {
                if !is_merged && !*was_merged {
                    duplicates.push(key.place);
                }
                *earlier = (key, node);
                *was_merged = is_merged;
            } else {
                kept.push((key, node));
                kept_is_merged.push(is_merged);
            }
        }
        self.entries = kept;
    }
}

/// Merges the value of `<<` into the entries.
pub(super) fn merge_into(entries: &mut Entries, node: Node, origin: Origin) -> Result<(), Fault> {
    let refused = Err(Fault::new(node.place, "`<<` merges a map or a list of maps and nothing else"));
    match node.value {
        Value::Map(merged) => entries.add_merged(merged),
        Value::List(items) if origin == Origin::Written => {
            // The first map of the list has the last word.
            for item in items.into_iter().rev() {
                let Value::Map(merged) = item.value else {
                    return refused;
                };
                entries.add_merged(merged);
            }
        }
        _ => return refused,
    }
    Ok(())
}
