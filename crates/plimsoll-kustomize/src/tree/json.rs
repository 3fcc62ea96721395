//! What is left of an object after kustomize has sent it through JSON, as it does around a JSON patch.

use super::value::scalar_value;
use super::{Form, Key, Node, Scalar, Tag, is_other_in_yaml_1_1, tag_of_plain};
use crate::refusal::Refusal;
use plimsoll_model as model;
use plimsoll_model::Value;

/// Every scalar becomes what JSON makes of it: numbers are 64-bit floating point numbers as Go prints them, text is
/// text, and nothing is one node with anything else.
pub(crate) fn through_json(node: &mut Node) -> Result<(), Refusal> {
    node.twin = 0;
    match &mut node.form {
        Form::List(items) => items.iter_mut().try_for_each(through_json),
        Form::Map(entries) => {
            for (key, node) in entries {
                if !key.is_text {
                    return Err(Refusal::new(
                        key.place,
                        "kustomize refuses a key that is not text; quote it",
                    ));
                }
                through_json(node)?;
            }
            Ok(())
        }
        Form::Scalar(scalar) => {
            let value = scalar_value(scalar).ok_or_else(|| {
                Refusal::new(node.place, "kustomize refuses this value: it does not fit its type")
            })?;
            *scalar = from_value(&value);
            Ok(())
        }
    }
}

/// A scalar as Go prints it in YAML after it was JSON.
fn from_value(value: &Value) -> Scalar {
    #[expect(clippy::cast_precision_loss, reason = "Go reads every JSON number as a float64")]
    let (text, tag) = match value {
        Value::Null | Value::List(_) | Value::Map(_) => ("null".to_owned(), Tag::Null),
        Value::Bool(value) => (value.to_string(), Tag::Bool),
        Value::Int(value) => number(*value as f64),
        Value::Uint(value) => number(*value as f64),
        Value::Float(value) => number(*value),
        Value::Text(text) => (text.to_string(), Tag::Text),
        Value::Concealed(text) => (text.reveal().to_owned(), Tag::Text),
    };
    let is_plain = tag != Tag::Text || is_written_plain(&text);
    Scalar { text: text.into(), is_plain, tag }
}

/// Whether Go writes a text without quotes (`go.yaml.in/yaml/v3` v3.0.3, `encode.go`, `stringv`, and `emitterc.go`).
fn is_written_plain(text: &str) -> bool {
    let first = text.chars().next();
    let is_sixties =
        text.contains(':') && text.bytes().all(|byte| byte.is_ascii_digit() || b":+-._".contains(&byte));
    let is_sign = |letter: char| "#,[]{}&*!|>'\"%@`".contains(letter);
    let may_begin = match first {
        None => false,
        Some('-' | '?' | ':') => text.chars().nth(1).is_some_and(|second| !second.is_whitespace()),
        Some(first) => !is_sign(first) && !first.is_whitespace(),
    };
    let is_separated = text.contains(": ") || text.contains(" #") || text.ends_with([':', ' ']);
    may_begin
        && !is_separated
        && !is_sixties
        && !text.starts_with("---")
        && !text.starts_with("...")
        && !text.chars().any(char::is_control)
        && tag_of_plain(text) == Tag::Text
        && !is_other_in_yaml_1_1(text)
}

/// A value of JSON as a node.
pub(crate) fn from_model(node: &model::Node) -> Node {
    let form = match &node.value {
        Value::List(items) => Form::List(items.iter().map(from_model).collect()),
        Value::Map(entries) => {
            let entry = |(key, value): &(model::Key, model::Node)| {
                (Key::new(key.text.clone(), key.place), from_model(value))
            };
            Form::Map(entries.iter().map(entry).collect())
        }
        value => Form::Scalar(from_value(value)),
    };
    Node::new(form, node.place)
}

/// Go's `strconv.FormatFloat(value, 'g', -1, 64)`, and what YAML takes it for.
fn number(value: f64) -> (String, Tag) {
    let scientific = format!("{value:e}");
    let (digits, power) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let power: i32 = power.parse().unwrap_or(0);
    let text = if (-4..6).contains(&power) {
        format!("{value}")
    } else {
        let sign = if power < 0 { '-' } else { '+' };
        format!("{digits}e{sign}{:02}", power.unsigned_abs())
    };
    let tag = tag_of_plain(&text);
    (text, tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_printed_as_go_prints_them() {
        for (value, text) in [
            (8080.0, "8080"),
            (0.5, "0.5"),
            (1e6, "1e+06"),
            (1e-7, "1e-07"),
            (123_456_789.0, "1.23456789e+08"),
        ] {
            assert_eq!(number(value).0, text);
        }
    }
}
