//! `.Files`: what a chart has besides its templates.

use super::bytes::Bytes;
use crate::chart::{ChartFile, Content};
use crate::encode::yaml;
use crate::functions::base;
use crate::glob::matches_glob;
use crate::template::function::{Call, Function, Outcome, Parameter};
use crate::template::value::{Item, Kind, List, Map, Member, Object, Text, Value};
use std::any::Any;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// Files by path.
#[derive(Debug)]
pub(crate) struct Files(Rc<BTreeMap<Arc<str>, Content>>);

impl Files {
    pub(crate) fn new(files: &[ChartFile]) -> Self {
        Self(Rc::new(files.iter().map(|file| (Arc::clone(&file.path), file.content.clone())).collect()))
    }
}

impl Object for Files {
    fn type_name(&self) -> &'static str {
        "engine.files"
    }

    fn kind(&self) -> Kind {
        Kind::Map
    }

    fn member(&self, name: &str) -> Option<Member> {
        if let Some(method) = METHODS.iter().find(|method| method.name == name) {
            return Some(Member::Method(method));
        }
        let content = self.0.get(name).cloned().unwrap_or_default();
        Some(Member::Field(Value::Object(Rc::new(Bytes(content))).into()))
    }

    fn print(&self) -> String {
        let files: Vec<String> = self
            .0
            .iter()
            .map(|(path, content)| format!("{path}:{}", Bytes(content.clone()).print()))
            .collect();
        format!("map[{}]", files.join(" "))
    }

    fn plain(&self) -> Value {
        let entries = self.0.iter().map(|(path, content)| {
            (Rc::from(&**path), Item::from(Value::Object(Rc::new(Bytes(content.clone())))))
        });
        Map::of_any(entries.collect()).into()
    }

    fn length(&self) -> Option<usize> {
        Some(self.0.len())
    }

    fn entries(&self) -> Option<Vec<(Rc<str>, Item)>> {
        let entries = self.0.iter().map(|(path, content)| {
            (Rc::from(&**path), Item::from(Value::Object(Rc::new(Bytes(content.clone())))))
        });
        Some(entries.collect())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

const METHODS: &[Function] = &[
    Function::new("Get", &[Parameter::Text], |call| {
        Ok(Value::Text(Text::from_bytes(content(call).to_vec())).into())
    }),
    Function::new("GetBytes", &[Parameter::Text], |call| {
        Ok(Value::Object(Rc::new(Bytes(content(call)))).into())
    }),
    Function::new("Glob", &[Parameter::Text], glob),
    Function::new("AsConfig", &[], |call| encoded(call, |content| Text::from_bytes(content.to_vec()))),
    Function::new("AsSecrets", &[], |call| {
        encoded(call, |content| Text::from(data_encoding::BASE64.encode(content)))
    }),
    Function::new("Lines", &[Parameter::Text], lines),
];

fn files<'c>(call: &'c Call<'_>) -> Option<&'c Files> {
    match call.receiver {
        Some(Value::Object(object)) => object.as_any().downcast_ref(),
        _ => None,
    }
}

fn content(call: &Call<'_>) -> Content {
    files(call).and_then(|files| files.0.get(call.str(0)).cloned()).unwrap_or_default()
}

fn glob(call: &mut Call<'_>) -> Outcome {
    let pattern = call.str(0);
    let found = files(call).map(|files| {
        let matching = files.0.iter().filter(|(path, _)| matches_glob(pattern, path));
        matching.map(|(path, content)| (Arc::clone(path), content.clone())).collect()
    });
    Ok(Value::Object(Rc::new(Files(Rc::new(found.unwrap_or_default())))).into())
}

/// The files as YAML, by the last part of their paths.
fn encoded(call: &mut Call<'_>, encode: fn(&[u8]) -> Text) -> Outcome {
    let entries = files(call).map(|files| {
        let entries =
            files.0.iter().map(|(path, content)| (Rc::from(base(path)), Value::Text(encode(content)).into()));
        entries.collect::<BTreeMap<Rc<str>, Item>>()
    });
    let map = Map::of_any(entries.unwrap_or_default());
    let text = yaml::encode(&Value::from(map).into(), call.origin).unwrap_or_else(|| Text::from(""));
    call.machine.meter.make(text.len())?;
    Ok(Value::Text(text).into())
}

fn lines(call: &mut Call<'_>) -> Outcome {
    let content = content(call);
    if content.is_empty() {
        return Ok(List::of_texts(Vec::<&str>::new()).into());
    }
    let text = String::from_utf8_lossy(&content);
    let text = text.strip_suffix('\n').unwrap_or(&text);
    Ok(List::of_texts(text.split('\n')).into())
}
