//! The entries of a map while it is read: equal keys and the merge key `<<`.

use super::build::Origin;
use super::document::Fault;
use plimsoll_model::{Key, Node, Place, Value};
use std::collections::BTreeMap;

/// Entries of all maps that are open.
pub(super) type Stack = Vec<(Key, Node)>;

/// The entries of one map in the order of writing, on top of the stack. Of equal keys the last one holds, also where
/// one of them was merged: go-yaml v2 merges in place (`go.yaml.in/yaml/v2` v2.4.3, `decode.go`, `mapping`).
#[derive(Debug)]
pub(super) struct Entries {
    start: usize,
    /// Which of the entries were merged, by position; empty where no `<<` was met.
    is_merged: Vec<bool>,
}

/// Below this many entries it is faster to compare them all than to sort them.
const FEW: usize = 16;

impl Entries {
    /// None yet.
    pub(super) fn from(stack: &Stack) -> Self {
        Self { start: stack.len(), is_merged: Vec::new() }
    }

    /// Adds an entry that was written in this map.
    pub(super) fn add(&mut self, stack: &mut Stack, key: Key, node: Node) {
        stack.push((key, node));
        if !self.is_merged.is_empty() {
            self.is_merged.push(false);
        }
    }

    fn add_merged(&mut self, stack: &mut Stack, entries: Vec<(Key, Node)>) {
        self.is_merged.resize(stack.len() - self.start, false);
        stack.extend(entries);
        self.is_merged.resize(stack.len() - self.start, true);
    }

    /// The entries with distinct keys; places of keys written twice are added to `duplicates`.
    pub(super) fn finish(self, stack: &mut Stack, duplicates: &mut Vec<Place>) -> Vec<(Key, Node)> {
        let entries = stack.split_off(self.start);
        if has_equal_keys(&entries) { self.without_overridden(entries, duplicates) } else { entries }
    }

    fn without_overridden(self, entries: Vec<(Key, Node)>, duplicates: &mut Vec<Place>) -> Vec<(Key, Node)> {
        let mut positions: BTreeMap<Box<str>, usize> = BTreeMap::new();
        let mut kept: Vec<(Key, Node)> = Vec::with_capacity(entries.len());
        let mut kept_is_merged: Vec<bool> = Vec::new();
        let merged = self.is_merged.into_iter().chain(std::iter::repeat(false));
        for ((key, node), is_merged) in entries.into_iter().zip(merged) {
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
        kept
    }
}

fn has_equal_keys(entries: &[(Key, Node)]) -> bool {
    if entries.len() <= FEW {
        let mut rest = entries.iter();
        while let Some((key, _)) = rest.next() {
            if rest.as_slice().iter().any(|(other, _)| other.text == key.text) {
                return true;
            }
        }
        return false;
    }
    let mut keys: Vec<&str> = entries.iter().map(|(key, _)| &*key.text).collect();
    keys.sort_unstable();
    keys.windows(2).any(|pair| matches!(pair, [left, right] if left == right))
}

/// Merges the value of `<<` into the entries.
pub(super) fn merge_into(
    (entries, stack): (&mut Entries, &mut Stack),
    node: Node,
    origin: Origin,
) -> Result<(), Fault> {
    let refused = Err(Fault::new(node.place, "`<<` merges a map or a list of maps and nothing else"));
    match node.value {
        Value::Map(merged) => entries.add_merged(stack, merged),
        Value::List(items) if origin == Origin::Written => {
            // The first map of the list has the last word.
            for item in items.into_iter().rev() {
                let Value::Map(merged) = item.value else {
                    return refused;
                };
                entries.add_merged(stack, merged);
            }
        }
        _ => return refused,
    }
    Ok(())
}
