//! The values of a stand-in: the switches that it asks, with what they are by default.

use super::Stated;
use super::text::Used;
use crate::question::Setting;
use std::collections::BTreeMap;
use std::fmt::Write as _;

enum Values {
    Map(BTreeMap<String, Values>),
    Scalar(String),
}

impl Stated<'_> {
    pub(super) fn values(&self, used: &Used) -> String {
        let mut root = BTreeMap::new();
        for path in &used.paths {
            let text = match self.answers.switches.get(path) {
                Some(switch) => match switch.shared() {
                    Some(Setting::Bool(on)) => on.to_string(),
                    Some(Setting::Text(text)) => format!("\"{text}\""),
                    None => "null".to_owned(),
                },
                None => "\"\"".to_owned(),
            };
            insert(&mut root, path, text);
        }
        let mut text = String::new();
        write(&root, 0, &mut text);
        text
    }
}

fn insert(into: &mut BTreeMap<String, Values>, path: &str, text: String) {
    match path.split_once('.') {
        None => {
            into.entry(path.to_owned()).or_insert(Values::Scalar(text));
        }
        Some((first, rest)) => {
            let inner = into.entry(first.to_owned()).or_insert_with(|| Values::Map(BTreeMap::new()));
            if let Values::Map(inner) = inner {
                insert(inner, rest, text);
            }
        }
    }
}

fn write(values: &BTreeMap<String, Values>, indent: usize, text: &mut String) {
    for (key, value) in values {
        match value {
            Values::Scalar(value) => {
                let _ = writeln!(text, "{:indent$}{key}: {value}", "");
            }
            Values::Map(inner) => {
                let _ = writeln!(text, "{:indent$}{key}:", "");
                write(inner, indent + 2, text);
            }
        }
    }
}
