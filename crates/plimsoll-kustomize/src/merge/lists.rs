//! Lists whose items are told apart by keys; the patch's items come first
//! (`kyaml` v0.21.1, `yaml/walk/associative_sequence.go`, `ElementSetter` in `yaml/fns.go`).

use super::directive::{self, Directive};
use super::{Known, Walked, Walker};
use crate::tree::{Form, Node, Tag};

impl<'d> Walker<'d> {
    pub(super) fn walk_associative(
        &self,
        dest: Option<Node>,
        patch: Option<Node>,
        keys: &[Box<str>],
        known: Known<'d>,
    ) -> Walked {
        let dest = dest.filter(|node| !node.is_null());
        let (dest, patch) = match (dest, patch) {
            (None, None) => return Ok(None),
            (None, Some(patch)) => (patch.clone(), Some(patch)),
            (Some(dest), None) => (dest, None),
            (Some(_), Some(patch)) if patch.is_null() => return Ok(None),
            (Some(mut dest), Some(mut patch)) => match directive::of_list(&mut patch)? {
                Directive::Delete => return Ok(None),
                Directive::Replace => (patch.clone(), Some(patch)),
                Directive::Merge => {
                    // Where a patch is merged with itself, the directive stands in both.
                    directive::of_list(&mut dest)?;
                    (dest, Some(patch))
                }
            },
        };
        let keys: Vec<&str> = keys.iter().map(|key| &**key).collect();
        if keys.is_empty() {
            return Ok(Some(merge_scalars(dest, patch.as_ref())));
        }
        self.merge_items(dest, patch.as_ref(), &keys, known)
    }

    fn merge_items(&self, mut dest: Node, patch: Option<&Node>, keys: &[&str], known: Known<'d>) -> Walked {
        let mut values = distinct_values(&dest, patch, keys);
        if keys.len() > 1 {
            match_values(&mut values);
        }
        let mut added = Node::list(dest.place);
        let mut valid_keys: Vec<&str> = Vec::new();
        for one in &values {
            let (used, wanted) = valid(&values, one, keys);
            valid_keys.clone_from(&used);
            let (own_keys, own_values) = valid(std::slice::from_ref(&wanted), &wanted, &used);
            let position = |node: &Node| element(node, &own_keys, &own_values);
            let patched = patch.and_then(|patch| patch.items().get(position(patch)?));
            let own = position(&dest);
            let is_replaced = patched.is_some_and(directive::replaces);
            let before = own.and_then(|at| dest.items().get(at)).cloned();
            let walked = self.walk(before, patched.cloned(), known.items())?;
            let Some(mut value) = walked.filter(|node| !is_empty_map(node)) else {
                set_element(&mut dest, None, &used, &wanted);
                continue;
            };
            for (key, text) in used.iter().zip(&wanted) {
                if value.get(key).is_none() && !text.is_empty() {
                    let place = value.place;
                    value.append(key, Node::scalar(text.as_str(), Tag::None, place));
                }
            }
            // What was there is changed in its place, and comes from there below.
            if let (Some(at), false, Form::List(items)) = (own, is_replaced, &mut dest.form)
                && let Some(slot) = items.get_mut(at)
            {
                slot.clone_from(&value);
            }
            set_element(&mut added, Some(value), &used, &wanted);
        }
        if values.is_empty() {
            return Ok(Some(dest));
        }
        append_rest(&mut added, &dest, &valid_keys);
        Ok(Some(added))
    }
}

/// Scalars: those of the patch first, each once.
fn merge_scalars(mut dest: Node, patch: Option<&Node>) -> Node {
    let mut merged: Vec<Node> = Vec::new();
    for item in patch.map_or(&[][..], Node::items).iter().chain(dest.items()) {
        if !item.is_null() && !merged.iter().any(|found| found.written() == item.written()) {
            merged.push(item.clone());
        }
    }
    dest.form = Form::List(merged);
    dest
}

fn is_empty_map(node: &Node) -> bool {
    node.is_null() || matches!(&node.form, Form::Map(entries) if entries.is_empty())
}

/// The values of the keys of every item, those of the patch first, each once.
fn distinct_values(dest: &Node, patch: Option<&Node>, keys: &[&str]) -> Vec<Vec<String>> {
    let mut values: Vec<Vec<String>> = Vec::new();
    for item in patch.map_or(&[][..], Node::items).iter().chain(dest.items()) {
        let of_item: Vec<String> =
            keys.iter().map(|key| item.filled(key).map_or("", Node::written).to_owned()).collect();
        if !values.contains(&of_item) {
            values.push(of_item);
        }
    }
    values
}

/// Values that agree where both say something become the same ones.
fn match_values(values: &mut [Vec<String>]) {
    for one in 0..values.len() {
        for other in 0..values.len() {
            let (Some(first), Some(second)) = (values.get(one), values.get(other)) else { continue };
            let Some(joined) = joined(first, second) else { continue };
            for slot in [one, other] {
                values.get_mut(slot).map(|slot| slot.clone_from(&joined)).unwrap_or_default();
            }
        }
    }
}

fn joined(one: &[String], other: &[String]) -> Option<Vec<String>> {
    let mut has_common = false;
    let mut joined = Vec::new();
    for (first, second) in one.iter().zip(other) {
        if first == second {
            has_common = true;
            joined.push(first.clone());
        } else if !first.is_empty() && !second.is_empty() {
            return None;
        } else {
            joined.push(if first.is_empty() { second.clone() } else { first.clone() });
        }
    }
    has_common.then_some(joined)
}

/// The keys that any item has, and the values of one item for them.
fn valid<'k>(all: &[Vec<String>], one: &[String], keys: &[&'k str]) -> (Vec<&'k str>, Vec<String>) {
    let is_used = |at: usize| all.iter().any(|values| values.get(at).is_some_and(|value| !value.is_empty()));
    if !(0..keys.len()).any(is_used) {
        return (keys.to_vec(), one.to_vec());
    }
    let used = keys.iter().enumerate().filter(|(at, _)| is_used(*at)).map(|(_, key)| *key).collect();
    let values = one.iter().enumerate();
    let values =
        values.filter(|(at, value)| !value.is_empty() || is_used(*at)).map(|(_, value)| value.clone());
    (used, values.collect())
}

/// The position of the first item with these values.
fn element(list: &Node, keys: &[&str], values: &[String]) -> Option<usize> {
    let fits = |item: &Node| {
        matches!(item.form, Form::Map(_))
            && keys
                .iter()
                .zip(values)
                .all(|(key, value)| item.get(key).is_some_and(|field| field.written() == value))
    };
    list.items().iter().position(fits)
}

/// Replaces the items with these values, or adds one; without an item, takes them away. Empty items go in any case.
fn set_element(list: &mut Node, element: Option<Node>, keys: &[&str], values: &[String]) {
    let Form::List(items) = &mut list.form else { return };
    let is_for_maps = keys.first().is_some_and(|key| !key.is_empty())
        && values.first().is_some_and(|value| !value.is_empty());
    let mut kept = Vec::with_capacity(items.len() + 1);
    let mut is_found = false;
    for item in items.drain(..) {
        if is_empty_map(&item) {
            continue;
        }
        if !matches!(item.form, Form::Map(_)) && is_for_maps {
            kept.push(item);
            continue;
        }
        // A value that is empty asks for nothing but the field.
        let fits = !values.is_empty()
            && keys.iter().zip(values).all(|(key, value)| {
                item.get(key).is_some_and(|field| value.is_empty() || field.written() == value)
            });
        if !fits {
            if !values.is_empty() {
                kept.push(item);
            }
            continue;
        }
        is_found = true;
        kept.extend(element.clone());
    }
    if let (Some(element), false) = (element, is_found) {
        kept.push(element);
    }
    *items = kept;
}

/// Puts what is in one list behind another, where it replaces what is there already.
fn append_rest(list: &mut Node, rest: &Node, keys: &[&str]) {
    for item in rest.items() {
        let mut values = Vec::new();
        for key in keys {
            match item.get(key) {
                Some(field) => values.push(field.written().to_owned()),
                None => {
                    if let Form::List(items) = &mut list.form {
                        items.push(item.clone());
                    }
                }
            }
        }
        if keys.len() > 1 {
            set_element(list, None, keys, &values);
        }
        set_element(list, Some(item.clone()), keys, &values);
    }
}
