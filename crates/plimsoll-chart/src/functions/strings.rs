//! Texts. What only cuts, quotes or indents a text keeps what is known of its bytes.

use crate::objects::bytes::text_of;
use crate::template::format::text;
use crate::template::function::{Call, Function, Outcome, Parameter};
use crate::template::origin::Origin;
use crate::template::quote::quoted;
use crate::template::value::{Element, Item, List, Map, MapKind, Text, TextBuilder, Value};
use std::rc::Rc;

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new("trim", &[Parameter::Text], |call| cut(call, 0, str::trim)),
    Function::new("trimAll", &[Parameter::Text, Parameter::Text], trim_all),
    Function::new("trimall", &[Parameter::Text, Parameter::Text], trim_all),
    Function::new("trimSuffix", &[Parameter::Text, Parameter::Text], |call| {
        let suffix = call.text(0);
        cut(call, 1, |text| text.strip_suffix(&*suffix).unwrap_or(text))
    }),
    Function::new("trimPrefix", &[Parameter::Text, Parameter::Text], |call| {
        let prefix = call.text(0);
        cut(call, 1, |text| text.strip_prefix(&*prefix).unwrap_or(text))
    }),
    Function::new("trunc", &[Parameter::Int, Parameter::Text], trunc),
    Function::new("substr", &[Parameter::Int, Parameter::Int, Parameter::Text], substr),
    Function::new("indent", &[Parameter::Int, Parameter::Text], |call| indent(call, "")),
    Function::new("nindent", &[Parameter::Int, Parameter::Text], |call| indent(call, "\n")),
    Function::open("quote", &[], Parameter::Any, quote),
    Function::open("squote", &[], Parameter::Any, squote),
    Function::open("cat", &[], Parameter::Any, cat),
    Function::new("toString", &[Parameter::Any], to_string),
    Function::new("toStrings", &[Parameter::Any], |call| Ok(List::of_texts(texts(call.value(0))).into())),
    Function::new("upper", &[Parameter::Text], |call| Ok(call.str(0).to_uppercase().into())),
    Function::new("lower", &[Parameter::Text], |call| Ok(call.str(0).to_lowercase().into())),
    Function::new("repeat", &[Parameter::Int, Parameter::Text], repeat),
    Function::new("replace", &[Parameter::Text, Parameter::Text, Parameter::Text], replace),
    Function::new("contains", &[Parameter::Text, Parameter::Text], |call| {
        Ok(call.str(1).contains(call.str(0)).into())
    }),
    Function::new("hasPrefix", &[Parameter::Text, Parameter::Text], |call| {
        Ok(call.str(1).starts_with(call.str(0)).into())
    }),
    Function::new("hasSuffix", &[Parameter::Text, Parameter::Text], |call| {
        Ok(call.str(1).ends_with(call.str(0)).into())
    }),
    Function::new("plural", &[Parameter::Text, Parameter::Text, Parameter::Int], |call| {
        Ok(call.item(usize::from(call.int(2) != 1)))
    }),
    Function::new("split", &[Parameter::Text, Parameter::Text], |call| {
        numbered(split(call.str(0), call.str(1), None))
    }),
    Function::new("splitn", &[Parameter::Text, Parameter::Int, Parameter::Text], |call| {
        numbered(split(call.str(0), call.str(2), usize::try_from(call.int(1)).ok()))
    }),
    Function::new("splitList", &[Parameter::Text, Parameter::Text], |call| {
        Ok(List::of_texts(split(call.str(0), call.str(1), None)).into())
    }),
    Function::new("join", &[Parameter::Text, Parameter::Any], join),
    Function::new("sortAlpha", &[Parameter::Any], sort_alpha),
];

/// A value as a text: `strval` of sprig.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Text(text) => text.to_string(),
        value => text_of(value).map_or_else(|| text(value), |text| text.to_string()),
    }
}

fn texts(value: &Value) -> Vec<String> {
    match value.as_items() {
        Some(items) => {
            items.iter().filter(|item| !item.value.is_nil()).map(|item| shown(&item.value)).collect()
        }
        None if value.is_nil() => Vec::new(),
        None => vec![shown(value)],
    }
}

fn cut(call: &Call<'_>, index: usize, cutting: impl FnOnce(&str) -> &str) -> Outcome {
    let text = call.text(index);
    let part = text.part_of(cutting(&text));
    Ok(Value::Text(part).into())
}

fn trim_all(call: &mut Call<'_>) -> Outcome {
    let set: Vec<char> = call.str(0).chars().collect();
    cut(call, 1, |text| text.trim_matches(set.as_slice()))
}

/// Cuts bytes, as Go does, from the end if the number is negative.
fn trunc(call: &mut Call<'_>) -> Outcome {
    let text = call.text(1);
    let length = text.bytes().len();
    let count = usize::try_from(call.int(0).unsigned_abs()).unwrap_or(usize::MAX);
    let range = if count >= length {
        0..length
    } else if call.int(0) < 0 {
        length - count..length
    } else {
        0..count
    };
    Ok(Value::Text(text.part(range)).into())
}

fn substr(call: &mut Call<'_>) -> Outcome {
    let text = call.text(2);
    let length = i64::try_from(text.bytes().len()).unwrap_or(i64::MAX);
    let (start, end) = (call.int(0), call.int(1));
    let (start, end) = match (start < 0, end < 0 || end > length) {
        (true, _) => (0, end),
        (false, true) => (start, length),
        (false, false) => (start, end),
    };
    match (usize::try_from(start), usize::try_from(end)) {
        (Ok(from), Ok(to)) if start <= end && end <= length => Ok(Value::Text(text.part(from..to)).into()),
        _ => Err(format!("runtime error: slice bounds out of range [{start}:{end}]").into()),
    }
}

fn indent(call: &mut Call<'_>, before: &str) -> Outcome {
    let text = call.text(1);
    let Ok(width) = usize::try_from(call.int(0)) else {
        return Err("strings: negative Repeat count".into());
    };
    let lines = text.matches('\n').count() + 1;
    call.machine.meter.make(text.len().saturating_add(lines.saturating_mul(width)))?;
    let pad = " ".repeat(width);
    let mut indented = TextBuilder::default();
    let mut start = 0;
    for line in text.split_inclusive('\n').chain(text.ends_with('\n').then_some("")) {
        // Blanks belong to the line they indent.
        let origin =
            text.spans().at(start).map_or(call.origin, |origin| Origin { is_copied: false, ..origin });
        if start == 0 {
            indented.push(before, origin);
        }
        indented.push(&pad, origin);
        indented.push_text(&text.part(start..start + line.len()), call.origin);
        start += line.len();
    }
    if text.is_empty() {
        return Ok(format!("{before}{pad}").into());
    }
    Ok(Value::Text(indented.finish()).into())
}

fn quote(call: &mut Call<'_>) -> Outcome {
    if let [Item { value: Value::Text(text), .. }] = call.arguments {
        return Ok(Value::Text(quoted_text(text, call.origin)).into());
    }
    let quoted: Vec<String> = present(call).map(|item| quoted(&shown(&item.value))).collect();
    Ok(quoted.join(" ").into())
}

/// A text in quotes; what needs no escape keeps what is known of it.
fn quoted_text(text: &Text, origin: Origin) -> Text {
    let quoted = quoted(text);
    if text.spans().is_empty() || quoted.len() != text.len() + 2 {
        return Text::from(quoted);
    }
    let first = text.spans().at(0).map_or(origin, |origin| Origin { is_copied: false, ..origin });
    let mut builder = TextBuilder::default();
    builder.push("\"", first);
    builder.push_text(text, origin);
    builder.push("\"", first);
    builder.finish()
}

fn squote(call: &mut Call<'_>) -> Outcome {
    let quoted: Vec<String> = present(call).map(|item| format!("'{}'", text(&item.value))).collect();
    Ok(quoted.join(" ").into())
}

fn cat(call: &mut Call<'_>) -> Outcome {
    let texts: Vec<String> = present(call).map(|item| text(&item.value)).collect();
    Ok(texts.join(" ").into())
}

fn present<'c>(call: &'c Call<'_>) -> impl Iterator<Item = &'c Item> {
    call.arguments.iter().filter(|item| !item.value.is_nil())
}

fn to_string(call: &mut Call<'_>) -> Outcome {
    match call.value(0) {
        Value::Text(_) => Ok(call.item(0)),
        value => match text_of(value) {
            Some(text) => Ok(Value::Text(text).into()),
            None => Ok(text(value).into()),
        },
    }
}

fn repeat(call: &mut Call<'_>) -> Outcome {
    let text = call.text(1);
    let Ok(count) = usize::try_from(call.int(0)) else {
        return Err("strings: negative Repeat count".into());
    };
    call.machine.meter.make(text.len().saturating_mul(count))?;
    Ok(text.repeat(count).into())
}

fn replace(call: &mut Call<'_>) -> Outcome {
    let text = call.text(2);
    if !call.str(0).is_empty() && !text.contains(call.str(0)) {
        return Ok(call.item(2));
    }
    let matches = if call.str(0).is_empty() { text.len() + 1 } else { text.matches(call.str(0)).count() };
    call.machine.meter.make(text.len().saturating_add(matches.saturating_mul(call.str(1).len())))?;
    Ok(text.replace(call.str(0), call.str(1)).into())
}

/// Parts of a text; between any two characters where the separator is empty.
fn split<'t>(separator: &str, text: &'t str, most: Option<usize>) -> Vec<&'t str> {
    if separator.is_empty() {
        let mut parts: Vec<&str> = text.split("").collect();
        parts.retain(|part| !part.is_empty());
        return parts;
    }
    match most {
        Some(0) => Vec::new(),
        Some(most) => text.splitn(most, separator).collect(),
        None => text.split(separator).collect(),
    }
}

fn numbered(parts: Vec<&str>) -> Outcome {
    let entries =
        parts.into_iter().enumerate().map(|(index, part)| (Rc::from(format!("_{index}")), Item::from(part)));
    Ok(Map::new(MapKind::Texts, entries.collect()).into())
}

fn join(call: &mut Call<'_>) -> Outcome {
    let joined = texts(call.value(1)).join(call.str(0));
    call.machine.meter.make(joined.len())?;
    Ok(joined.into())
}

fn sort_alpha(call: &mut Call<'_>) -> Outcome {
    let mut texts = texts(call.value(0));
    texts.sort();
    let items = texts.into_iter().map(|text| Item::from(Value::Text(Text::from(text))));
    Ok(List::new(Element::Text, items.collect()).into())
}
