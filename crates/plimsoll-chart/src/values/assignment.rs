//! `name.of[0].value=text`, as Helm's `pkg/strvals` reads it.

use crate::read;
use crate::template::value::{Item, List, Map, Value};
use std::iter::Peekable;
use std::str::Chars;

/// What becomes of the text behind an equal sign.
#[derive(Debug, Clone)]
pub(super) enum Form {
    /// Numbers, truth values and null are what they look like.
    Typed,
    Text,
    Json,
    /// The content of the file that is named there.
    File(String),
}

/// The largest index of a list, as in Helm.
const MAX_INDEX: usize = 65_536;
/// How many names may stand behind each other, as in Helm.
const MAX_LEVEL: usize = 30;

/// Sets values of a map.
pub(super) fn assign(map: &Map, text: &str, form: Form) -> Result<(), String> {
    let mut reader = Reader { rest: text.chars().peekable(), form };
    while reader.rest.peek().is_some() {
        reader.key(map, 0)?;
    }
    Ok(())
}

struct Reader<'t> {
    rest: Peekable<Chars<'t>>,
    form: Form,
}

impl Reader<'_> {
    /// The text up to one of some characters, which is read; `None` behind it at the end.
    fn until(&mut self, stops: &[char]) -> (String, Option<char>) {
        let mut text = String::new();
        while let Some(next) = self.rest.next() {
            if stops.contains(&next) {
                return (text, Some(next));
            }
            text.extend(if next == '\\' { self.rest.next() } else { Some(next) });
        }
        (text, None)
    }

    fn key(&mut self, map: &Map, level: usize) -> Result<(), String> {
        let (name, stop) = self.until(&['=', '[', ',', '.']);
        let set = |value: Value| {
            if !name.is_empty() {
                map.set(name.as_str().into(), value.into());
            }
        };
        match stop {
            None if name.is_empty() => Ok(()),
            None => Err(format!("key {name:?} has no value")),
            Some('=') => {
                set(self.value()?);
                Ok(())
            }
            Some('[') => {
                let index = self.index()?;
                let known = map.get(&name).map_or(Value::Nil, |item| item.value);
                set(self.list_item(&known, index, level)?);
                Ok(())
            }
            Some('.') => {
                if level >= MAX_LEVEL {
                    return Err(format!("names stand more than {MAX_LEVEL} deep in each other"));
                }
                let inner = match map.get(&name).map(|item| item.value) {
                    Some(Value::Map(inner)) => inner,
                    None | Some(Value::Nil) => Map::of_values([]),
                    Some(other) => return Err(format!("{name} is a {}, not a map", other.kind().name())),
                };
                self.key(&inner, level + 1)?;
                if inner.borrow().is_empty() {
                    return Err(format!("key map {name:?} has no value"));
                }
                set(inner.into());
                Ok(())
            }
            Some(_) => Err(format!("key {name:?} has no value (cannot end with ,)")),
        }
    }

    fn index(&mut self) -> Result<usize, String> {
        let (text, stop) = self.until(&[']']);
        let index: usize = text.parse().map_err(|_| format!("{text:?} is no index"))?;
        match stop {
            Some(_) if index <= MAX_INDEX => Ok(index),
            Some(_) => Err(format!("an index may be at most {MAX_INDEX}")),
            None => Err("an index must end with ]".to_owned()),
        }
    }

    fn list_item(&mut self, known: &Value, index: usize, level: usize) -> Result<Value, String> {
        let mut items = match known {
            Value::List(list) => list.items().to_vec(),
            Value::Nil | Value::Invalid => Vec::new(),
            other => return Err(format!("a {} is no list", other.kind().name())),
        };
        let present = items.get(index).map_or(Value::Nil, |item| item.value.clone());
        let (text, stop) = self.until(&['[', '.', '=']);
        if !text.is_empty() {
            return Err(format!("unexpected data at end of array index: {text:?}"));
        }
        let value = match stop {
            Some('=') => self.value()?,
            Some('[') => {
                let inner = self.index()?;
                self.list_item(&present, inner, level)?
            }
            Some(_) => {
                let inner = if let Value::Map(map) = present { map } else { Map::of_values([]) };
                self.key(&inner, level)?;
                inner.into()
            }
            None => return Ok(List::of_any(items).into()),
        };
        if items.len() <= index {
            items.resize(index + 1, Item::from(Value::Nil));
        }
        if let Some(item) = items.get_mut(index) {
            *item = value.into();
        }
        Ok(List::of_any(items).into())
    }

    fn value(&mut self) -> Result<Value, String> {
        if matches!(self.form, Form::Json) {
            let text: String = self.rest.by_ref().collect();
            return if text.trim().is_empty() { Ok(Value::Nil) } else { read::json(&text) };
        }
        if self.rest.next_if_eq(&'{').is_none() {
            let (text, _) = self.until(&[',']);
            return Ok(self.typed(text));
        }
        let mut items = Vec::new();
        loop {
            let (text, stop) = self.until(&[',', '}']);
            items.push(self.typed(text).into());
            match stop {
                Some('}') => {
                    self.rest.next_if_eq(&',');
                    return Ok(List::of_any(items).into());
                }
                Some(_) => {}
                None => return Err("list must terminate with '}'".to_owned()),
            }
        }
    }

    fn typed(&self, text: String) -> Value {
        match &self.form {
            Form::File(content) => return Value::from(content.as_str()),
            Form::Text => return Value::from(text),
            Form::Typed | Form::Json => {}
        }
        match text.to_ascii_lowercase().as_str() {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "null" => Value::Nil,
            "0" => Value::Int64(0),
            _ if text.starts_with('0') => Value::from(text),
            _ => match text.parse() {
                Ok(number) => Value::Int64(number),
                Err(_) => Value::from(text),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::json::{Layout, encode};

    fn check(text: &str, expect: &str) {
        let map = Map::of_values([]);
        assign(&map, text, Form::Typed).unwrap();
        let layout = Layout { is_indented: false, escapes_html: false };
        assert_eq!(encode(&map.into(), layout).unwrap(), expect, "{text}");
    }

    #[test]
    fn assignments_are_read_as_helm_reads_them() {
        check("a=1,b.c=true,d=null", r#"{"a":1,"b":{"c":true},"d":null}"#);
        check("a[1].b=x", r#"{"a":[null,{"b":"x"}]}"#);
        check("a={x,1,00}", r#"{"a":["x",1,"00"]}"#);
        check(r"a\.b=c\,d", r#"{"a.b":"c,d"}"#);
        check("a[0][1]=2,a[0][0]=1", r#"{"a":[[1,2]]}"#);
        check("a=", r#"{"a":""}"#);
        let map = Map::of_values([]);
        for text in ["a", "a,", "a[x]=1", "a[70000]=1", "a={1", "a=1,a.b=2"] {
            assert!(assign(&map, text, Form::Typed).is_err(), "{text}");
        }
    }
}
