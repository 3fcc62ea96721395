//! What was read, object by object: as the cluster would get it, in the order of sending, each with its place.

mod prepare;
mod yaml;

pub(crate) use prepare::Secrets;

use super::place;
use plimsoll_model::{Action, Bundle, Node, Object, Place, Step, Value};
use rayon::prelude::*;
use serde::ser::{SerializeMap as _, SerializeSeq as _};
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt::Write as _;

/// Every object as YAML, with a comment of its place; steps that send nothing are comments. One text is for one object,
/// since all of them together may be large.
pub(crate) fn as_yaml(bundle: &Bundle, secrets: Secrets) -> Vec<Box<str>> {
    let mut texts = Vec::new();
    for step in &bundle.steps {
        let said = said(step);
        let Action::Deliver(unit) = &step.action else {
            texts.push(format!("---\n# {said}\n").into());
            continue;
        };
        // A few objects may be as long as all others.
        let objects = unit.objects.par_iter().with_max_len(1);
        texts.par_extend(objects.map(|object| object_as_yaml(object, &said, bundle, secrets)));
    }
    texts
}

fn object_as_yaml(object: &Object, said: &str, bundle: &Bundle, secrets: Secrets) -> Box<str> {
    thread_local! {
        /// A text that grows to the size of a long object takes new memory again and again.
        static DRAFT: RefCell<String> = const { RefCell::new(String::new()) };
    }
    let spot = place::spot(&bundle.files, object.place());
    if let Some(premise) = object.premise.as_ref().filter(|_| !object.is_whole()) {
        return format!("---\n# {spot}, {} if {}\n", object.id, premise.says).into();
    }
    DRAFT.with_borrow_mut(|text| {
        text.clear();
        // To write to a text does not fail.
        let _ = writeln!(text, "---\n# {spot}, sent by: {said}");
        yaml::write(text, &prepare::prepared(object, secrets));
        text.as_str().into()
    })
}

/// One object as YAML.
pub(crate) fn object(object: &Object, secrets: Secrets) -> String {
    let mut text = String::new();
    yaml::write(&mut text, &prepare::prepared(object, secrets));
    text
}

/// The command of a step, on one line.
fn said(step: &Step) -> String {
    step.says.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Every object as JSON, with its place and the command that sends it.
pub(crate) fn as_json(bundle: &Bundle, secrets: Secrets) -> Result<String, serde_json::Error> {
    let mut objects = Vec::new();
    for step in &bundle.steps {
        let Action::Deliver(unit) = &step.action else {
            continue;
        };
        for object in unit.objects.iter().filter(|object| object.is_whole()) {
            let Place { line, column, .. } = object.place();
            objects.push(Rendered {
                file: bundle.files.path(object.place()),
                line,
                column,
                sent_by: said(step),
                object: Plain(prepare::prepared(object, secrets)),
            });
        }
    }
    let mut text = serde_json::to_string_pretty(&Document { schema: "plimsoll.render/v1", objects })?;
    text.push('\n');
    Ok(text)
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    objects: Vec<Rendered<'a>>,
}

#[derive(Serialize)]
struct Rendered<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    sent_by: String,
    object: Plain<'a>,
}

/// A node that holds nothing to conceal.
struct Plain<'a>(Cow<'a, Node>);

impl Serialize for Plain<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Borrowed(&self.0).serialize(serializer)
    }
}

struct Borrowed<'a>(&'a Node);

impl Serialize for Borrowed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0.value {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::Int(value) => serializer.serialize_i64(*value),
            Value::Uint(value) => serializer.serialize_u64(*value),
            Value::Float(value) => serializer.serialize_f64(*value),
            Value::Text(text) => serializer.serialize_str(text),
            Value::Concealed(concealed) => serializer.collect_str(concealed),
            Value::List(items) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    list.serialize_element(&Borrowed(item))?;
                }
                list.end()
            }
            Value::Map(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, node) in entries {
                    map.serialize_entry(&key.text, &Borrowed(node))?;
                }
                map.end()
            }
        }
    }
}
