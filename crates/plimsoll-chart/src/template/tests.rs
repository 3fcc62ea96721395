//! Templates are answered as Go's `text/template` answers them.
//!
//! `answers.jsonl` holds templates with the answers that Go 1.26 gave. `cargo xtask charts templates` asks Go about many
//! more, and writes the file anew with `--write`.

mod against_go;
mod dice;
mod generate;

use super::builtins::BUILTINS;
use super::function::Library;
use super::machine::{Caller, Machine};
use super::parser;
use super::tree::Source;
use super::value::{Item, List, Map, Value};
use plimsoll_model::{FileIndex, Node, Value as Plain};
use std::sync::Arc;

/// What a template makes of data, or Go's error.
pub(super) fn render(template: &str, data: &Node) -> Result<String, String> {
    let library = Arc::new(Library::new(&[BUILTINS]));
    let mut machine = Machine::new(library, Arc::default());
    let source = Arc::new(Source { name: "t".into(), text: template.into(), file: 0 });
    let parsed = parser::parse(&source, &machine.library, parser::Room::Much)
        .map_err(|failure| failure.to_string())?;
    machine.define_all(&parsed);
    let text = machine.execute("t", &value(data).settled(), Caller::NONE);
    text.map(|text| text.to_string()).map_err(|failure| failure.message().to_owned())
}

/// Data with the types that the answering program gives it.
fn value(node: &Node) -> Item {
    let value = match &node.value {
        Plain::Null | Plain::Concealed(_) => Value::Nil,
        Plain::Bool(value) => Value::Bool(*value),
        Plain::Int(value) => Value::Int(*value),
        Plain::Uint(value) => Value::Uint64(*value),
        Plain::Float(value) => Value::Float(*value),
        Plain::Text(text) => Value::from(&**text),
        Plain::List(items) => List::of_any(items.iter().map(value_of).collect()).into(),
        Plain::Map(entries) => {
            Map::of_any(entries.iter().map(|(key, node)| ((*key.text).into(), value_of(node))).collect())
                .into()
        }
    };
    value.into()
}

fn value_of(node: &Node) -> Item {
    value(node)
}

fn parse(text: &str) -> Node {
    plimsoll_yaml::value(text, FileIndex(0)).expect("JSON")
}
