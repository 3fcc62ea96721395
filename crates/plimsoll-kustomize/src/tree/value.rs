//! From kustomize's nodes to what is sent: the way through YAML, JSON and YAML again that `kustomize build` goes.

use super::resolve::{Meaning, meaning, tag_of_plain};
use super::{Form, Node, Scalar, Tag};
use crate::refusal::Refusal;
use plimsoll_model as model;
use plimsoll_model::Value;

/// A node as it is printed, or why kustomize cannot print it.
pub(crate) fn to_value(node: &Node) -> Result<model::Node, Refusal> {
    let value = match &node.form {
        Form::Scalar(scalar) => scalar_value(scalar).ok_or_else(|| Refusal::new(node.place, MISMATCH))?,
        Form::List(items) => Value::List(items.iter().map(to_value).collect::<Result<_, _>>()?),
        Form::Map(entries) => {
            let mut printed = Vec::with_capacity(entries.len());
            for (key, node) in entries {
                if !key.is_text {
                    return Err(Refusal::new(
                        key.place,
                        "kustomize refuses a key that is not text; quote it",
                    ));
                }
                let key = model::Key { text: key.text.clone(), place: key.place };
                printed.push((key, to_value(node)?));
            }
            Value::Map(printed)
        }
    };
    Ok(model::Node { value, place: node.place })
}

const MISMATCH: &str = "kustomize refuses this value: it does not fit the type of the field it was put into";

/// What a scalar is printed as.
pub(super) fn scalar_value(scalar: &Scalar) -> Option<Value> {
    let Scalar { text, tag, is_plain } = scalar;
    let as_text = || Some(Value::Text(text.clone()));
    match tag {
        Tag::Text => as_text(),
        Tag::Binary => binary(text),
        Tag::None if !is_plain || text.contains('\n') => as_text(),
        Tag::None => printed(text),
        // Quotes win where the text alone would say the same.
        _ if !is_plain && tag_of_plain(text) == *tag => as_text(),
        _ if tag_of_plain(text) == *tag || (*tag == Tag::Float && tag_of_plain(text) == Tag::Int) => {
            printed(text)
        }
        _ => None,
    }
}

fn printed(text: &str) -> Option<Value> {
    match meaning(text) {
        Meaning::Time(time) => Some(Value::Text(time.into())),
        Meaning::Value(Value::Float(value)) if !value.is_finite() => None,
        Meaning::Value(Value::Float(value)) => Some(whole(value)),
        Meaning::Value(value) => Some(value),
    }
}

/// A number without a fraction is printed without one, in as few digits as tell it apart, and is a whole number for who
/// reads that.
fn whole(value: f64) -> Value {
    if value.abs() >= 1e21 {
        return Value::Float(value);
    }
    let text = value.to_string();
    let whole = text.parse().map(Value::Int).or_else(|_| text.parse().map(Value::Uint));
    whole.unwrap_or(Value::Float(value))
}

fn binary(text: &str) -> Option<Value> {
    plimsoll_yaml::base64_text(text).map(Value::Text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, tag: Tag, is_plain: bool, expect: impl Into<Option<Value>>) {
        assert_eq!(
            scalar_value(&Scalar { text: text.into(), tag, is_plain }),
            expect.into(),
            "{text} {tag:?}"
        );
    }

    #[test]
    fn the_tag_and_the_quotes_decide() {
        let text = |text: &str| Some(Value::Text(text.into()));
        check("8080", Tag::None, true, Some(Value::Int(8080)));
        check("8080", Tag::None, false, text("8080"));
        check("8080", Tag::Text, true, text("8080"));
        check("8080", Tag::Int, false, text("8080"));
        check("abc", Tag::Int, true, None);
        check("3", Tag::Float, true, Some(Value::Int(3)));
        check("on", Tag::None, true, text("on"));
        check("0644", Tag::Int, true, Some(Value::Int(420)));
        check("2024-01-01", Tag::Time, true, text("2024-01-01T00:00:00Z"));
        check("aGVsbG8=", Tag::Binary, true, text("hello"));
        check(".inf", Tag::Float, true, None);
    }
}
