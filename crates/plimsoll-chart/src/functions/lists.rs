//! Slices. All but `slice` answer `[]interface {}`, whatever they are given.

use super::numbers::whole;
use crate::objects::capabilities;
use crate::template::compare::deep_equal;
use crate::template::function::{Call, Function, Outcome, Parameter};
use crate::template::value::{Element, Item, List, Value};

pub(super) const FUNCTIONS: &[Function] = &[
    Function::open("list", &[], Parameter::Any, list),
    Function::open("tuple", &[], Parameter::Any, list),
    Function::new("append", &[Parameter::Any, Parameter::Any], append),
    Function::new("push", &[Parameter::Any, Parameter::Any], append),
    Function::new("mustAppend", &[Parameter::Any, Parameter::Any], append),
    Function::new("mustPush", &[Parameter::Any, Parameter::Any], append),
    Function::new("prepend", &[Parameter::Any, Parameter::Any], prepend),
    Function::new("mustPrepend", &[Parameter::Any, Parameter::Any], prepend),
    Function::new("first", &[Parameter::Any], first),
    Function::new("mustFirst", &[Parameter::Any], first),
    Function::new("last", &[Parameter::Any], last),
    Function::new("mustLast", &[Parameter::Any], last),
    Function::new("rest", &[Parameter::Any], rest),
    Function::new("mustRest", &[Parameter::Any], rest),
    Function::new("initial", &[Parameter::Any], initial),
    Function::new("mustInitial", &[Parameter::Any], initial),
    Function::new("reverse", &[Parameter::Any], reverse),
    Function::new("mustReverse", &[Parameter::Any], reverse),
    Function::new("compact", &[Parameter::Any], compact),
    Function::new("mustCompact", &[Parameter::Any], compact),
    Function::new("uniq", &[Parameter::Any], uniq),
    Function::new("mustUniq", &[Parameter::Any], uniq),
    Function::open("without", &[Parameter::Any], Parameter::Any, without),
    Function::open("mustWithout", &[Parameter::Any], Parameter::Any, without),
    Function::new("has", &[Parameter::Any, Parameter::Any], has),
    Function::new("mustHas", &[Parameter::Any, Parameter::Any], has),
    Function::open("slice", &[Parameter::Any], Parameter::Any, slice),
    Function::open("mustSlice", &[Parameter::Any], Parameter::Any, slice),
    Function::open("concat", &[], Parameter::Any, concat),
    Function::new("chunk", &[Parameter::Int, Parameter::Any], chunk),
    Function::new("mustChunk", &[Parameter::Int, Parameter::Any], chunk),
];

/// The items of an argument, or sprig's error.
fn items(call: &Call<'_>, index: usize, action: &str) -> Result<Vec<Item>, String> {
    let value = call.value(index);
    if value.is_nil() {
        return Err("runtime error: invalid memory address or nil pointer dereference".to_owned());
    }
    let kind = value.kind().name();
    value.as_items().ok_or_else(|| format!("Cannot {action} {kind}"))
}

fn answer(items: Vec<Item>) -> Outcome {
    Ok(List::of_any(items).into())
}

fn list(call: &mut Call<'_>) -> Outcome {
    answer(call.arguments.to_vec())
}

fn append(call: &mut Call<'_>) -> Outcome {
    let mut items = items(call, 0, "push on type")?;
    items.push(call.item(1));
    call.machine.meter.make(items.len() * size_of::<Item>())?;
    answer(items)
}

fn prepend(call: &mut Call<'_>) -> Outcome {
    let mut items = items(call, 0, "prepend on type")?;
    items.insert(0, call.item(1));
    call.machine.meter.make(items.len() * size_of::<Item>())?;
    answer(items)
}

fn first(call: &mut Call<'_>) -> Outcome {
    let items = items(call, 0, "find first on type")?;
    Ok(items.first().cloned().unwrap_or_else(|| Value::Nil.into()))
}

fn last(call: &mut Call<'_>) -> Outcome {
    let items = items(call, 0, "find last on type")?;
    Ok(items.last().cloned().unwrap_or_else(|| Value::Nil.into()))
}

fn rest(call: &mut Call<'_>) -> Outcome {
    let items = items(call, 0, "find rest on type")?;
    answer(items.into_iter().skip(1).collect())
}

fn initial(call: &mut Call<'_>) -> Outcome {
    let mut items = items(call, 0, "find initial on type")?;
    items.pop();
    answer(items)
}

fn reverse(call: &mut Call<'_>) -> Outcome {
    let mut items = items(call, 0, "find reverse on type")?;
    items.reverse();
    answer(items)
}

fn compact(call: &mut Call<'_>) -> Outcome {
    let items = items(call, 0, "compact on type")?;
    answer(items.into_iter().filter(|item| !item.value.is_empty()).collect())
}

fn uniq(call: &mut Call<'_>) -> Outcome {
    let mut kept: Vec<Item> = Vec::new();
    for item in items(call, 0, "find uniq on type")? {
        if !contains(&kept, &item.value) {
            kept.push(item);
        }
    }
    answer(kept)
}

fn contains(items: &[Item], value: &Value) -> bool {
    items.iter().any(|item| deep_equal(&item.value, value))
}

fn without(call: &mut Call<'_>) -> Outcome {
    let items = items(call, 0, "find without on type")?;
    answer(items.into_iter().filter(|item| !contains(call.from(1), &item.value)).collect())
}

fn has(call: &mut Call<'_>) -> Outcome {
    if call.value(1).is_nil() {
        return Ok(false.into());
    }
    if let Some(is_offered) = capabilities::offers(call.value(1), call.value(0)) {
        return Ok(is_offered.into());
    }
    Ok(contains(&items(call, 1, "find has on type")?, call.value(0)).into())
}

fn slice(call: &mut Call<'_>) -> Outcome {
    let value = call.value(0).clone();
    let Some(items) = value.as_items() else {
        return Err(format!("list should be type of slice or array but {}", value.kind().name()).into());
    };
    if items.is_empty() {
        return Ok(Value::Nil.into());
    }
    let length = i64::try_from(items.len()).unwrap_or(i64::MAX);
    let start = call.from(1).first().map_or(0, |item| whole(&item.value));
    let end = call.from(2).first().map_or(length, |item| whole(&item.value));
    let range = usize::try_from(start).ok().zip(usize::try_from(end).ok());
    match range.and_then(|(start, end)| items.get(start..end)) {
        Some(part) => {
            let element = if let Value::List(list) = &value { list.element() } else { Element::Any };
            Ok(List::new(element, part.to_vec()).into())
        }
        None => Err("reflect.Value.Slice: slice index out of bounds".into()),
    }
}

fn concat(call: &mut Call<'_>) -> Outcome {
    let mut all = Vec::new();
    for item in call.arguments {
        match item.value.as_items() {
            Some(items) => all.extend(items),
            None if item.value.is_nil() => {
                return Err("runtime error: invalid memory address or nil pointer dereference".into());
            }
            None => return Err(format!("Cannot concat type {} as list", item.value.kind().name()).into()),
        }
    }
    call.machine.meter.make(all.len() * size_of::<Item>())?;
    answer(all)
}

fn chunk(call: &mut Call<'_>) -> Outcome {
    let items = items(call, 1, "chunk type")?;
    let size = usize::try_from(call.int(0)).unwrap_or_default().max(1);
    let chunks = items.chunks(size).map(|chunk| Item::from(Value::from(List::of_any(chunk.to_vec()))));
    Ok(List::new(Element::List, chunks.collect()).into())
}
