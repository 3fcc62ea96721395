//! Maps: made, read and changed in place.

use crate::template::function::{Call, Function, Outcome, Parameter};
use crate::template::value::{Element, Item, List, Map, Value};
use std::collections::BTreeMap;
use std::rc::Rc;

pub(super) const FUNCTIONS: &[Function] = &[
    Function::open("dict", &[], Parameter::Any, dict),
    Function::new("get", &[Parameter::Map, Parameter::Text], get),
    Function::new("set", &[Parameter::Map, Parameter::Text, Parameter::Any], set),
    Function::new("unset", &[Parameter::Map, Parameter::Text], unset),
    Function::new("hasKey", &[Parameter::Map, Parameter::Text], has_key),
    Function::open("pluck", &[Parameter::Text], Parameter::Map, pluck),
    Function::open("keys", &[], Parameter::Map, keys),
    Function::open("pick", &[Parameter::Map], Parameter::Text, pick),
    Function::open("omit", &[Parameter::Map], Parameter::Text, omit),
    Function::new("values", &[Parameter::Map], values),
    Function::open("dig", &[], Parameter::Any, dig),
    Function::new("deepCopy", &[Parameter::Any], deep_copy),
    Function::new("mustDeepCopy", &[Parameter::Any], deep_copy),
];

fn dict(call: &mut Call<'_>) -> Outcome {
    let mut entries = BTreeMap::new();
    for pair in call.arguments.chunks(2) {
        if let Some(key) = pair.first() {
            let key: Rc<str> = super::strings::shown(&key.value).as_str().into();
            let value = pair.get(1).cloned().unwrap_or_else(|| Value::from("").into());
            entries.insert(key, stored(value));
        }
    }
    Ok(Map::of_any(entries).into())
}

/// A value as a map or list holds it: there is no difference between nil and no value.
pub(super) fn stored(item: Item) -> Item {
    match item.value {
        Value::Invalid => Item { value: Value::Nil, ..item },
        _ => item,
    }
}

fn get(call: &mut Call<'_>) -> Outcome {
    let found = call.map(0).and_then(|map| map.get(call.str(1)));
    Ok(found.map_or_else(|| Value::from("").into(), Item::into_interface))
}

fn set(call: &mut Call<'_>) -> Outcome {
    match call.map(0) {
        Some(map) => {
            map.set(call.str(1).into(), stored(call.item(2)));
            Ok(call.item(0))
        }
        None => Err("assignment to entry in nil map".into()),
    }
}

fn unset(call: &mut Call<'_>) -> Outcome {
    if let Some(map) = call.map(0) {
        map.remove(call.str(1));
    }
    Ok(call.item(0))
}

fn has_key(call: &mut Call<'_>) -> Outcome {
    Ok(call.map(0).is_some_and(|map| map.borrow().contains_key(call.str(1))).into())
}

fn pluck(call: &mut Call<'_>) -> Outcome {
    let maps = call.from(1).iter().filter_map(|item| item.value.as_map());
    Ok(List::of_any(maps.filter_map(|map| map.get(call.str(0))).collect()).into())
}

/// Go gives them in any order; here they are sorted.
fn keys(call: &mut Call<'_>) -> Outcome {
    let maps = call.arguments.iter().filter_map(|item| item.value.as_map());
    let keys = maps.flat_map(Map::entries).map(|(key, item)| Item::new(Value::from(&*key), item.place));
    Ok(List::new(Element::Text, keys.collect()).into())
}

fn pick(call: &mut Call<'_>) -> Outcome {
    let names = call.from(1).iter().filter_map(|item| item.value.as_text());
    let found = names.filter_map(|name| Some((Rc::from(&**name), call.map(0)?.get(name)?)));
    Ok(Map::of_any(found.collect()).into())
}

fn omit(call: &mut Call<'_>) -> Outcome {
    let names: Vec<_> = call.from(1).iter().filter_map(|item| item.value.as_text()).collect();
    let entries = call.map(0).map(Map::entries).unwrap_or_default();
    let kept = entries.into_iter().filter(|(key, _)| !names.iter().any(|name| ***name == **key));
    Ok(Map::of_any(kept.collect()).into())
}

/// Go gives them in any order; here they are sorted by their keys.
fn values(call: &mut Call<'_>) -> Outcome {
    let entries = call.map(0).map(Map::entries).unwrap_or_default();
    Ok(List::of_any(entries.into_iter().map(|(_, item)| item).collect()).into())
}

fn dig(call: &mut Call<'_>) -> Outcome {
    let [keys @ .., default, map] = call.arguments else {
        return Err("dig needs at least three arguments".into());
    };
    if keys.is_empty() {
        return Err("dig needs at least three arguments".into());
    }
    let mut item = map.clone();
    for key in keys {
        let Value::Map(map) = &item.value else {
            return Err(conversion(&item.value, "map[string]interface {}"));
        };
        let Value::Text(key) = &key.value else {
            return Err(conversion(&key.value, "string"));
        };
        match map.get(key) {
            Some(found) => item = found,
            None => return Ok(default.clone()),
        }
    }
    Ok(item.into_interface())
}

fn conversion(value: &Value, wanted: &str) -> crate::template::failure::Failure {
    let found = if value.is_nil() { "nil" } else { value.type_name() };
    format!("interface conversion: interface {{}} is {found}, not {wanted}").into()
}

fn deep_copy(call: &mut Call<'_>) -> Outcome {
    copied(&call.item(0), 0)
}

/// A copy that shares nothing that can be changed.
pub(crate) fn copied(item: &Item, depth: usize) -> Outcome {
    const MAX_DEPTH: usize = 1_000;
    if depth > MAX_DEPTH {
        return Err("a value that holds itself cannot be copied".into());
    }
    let value = match &item.value {
        Value::Map(map) => {
            let mut entries = BTreeMap::new();
            for (key, item) in map.entries() {
                entries.insert(key, copied(&item, depth + 1)?);
            }
            Map::new(map.kind(), entries).into()
        }
        Value::List(list) => {
            let items: Result<Vec<Item>, _> =
                list.items().iter().map(|item| copied(item, depth + 1)).collect();
            List::new(list.element(), items?).into()
        }
        other => other.clone(),
    };
    Ok(Item { value, ..item.clone() })
}
