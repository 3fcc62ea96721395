//! What a scalar without quotes is: YAML 1.2 as `go.yaml.in/yaml/v3` v3.0.3 sees it (`resolve.go`).

use super::Tag;
use super::timestamp::timestamp;
use plimsoll_model::Value;

/// What a text without quotes is said to be.
pub(crate) fn tag_of_plain(text: &str) -> Tag {
    match meaning(text) {
        Meaning::Value(Value::Null) => Tag::Null,
        Meaning::Value(Value::Bool(_)) => Tag::Bool,
        Meaning::Value(Value::Int(_) | Value::Uint(_)) => Tag::Int,
        Meaning::Value(Value::Float(_)) => Tag::Float,
        Meaning::Value(_) => Tag::Text,
        Meaning::Time(_) => Tag::Time,
    }
}

/// What a text without quotes stands for.
pub(super) enum Meaning {
    Value(Value),
    /// A time, as Go prints it.
    Time(String),
}

pub(super) fn meaning(text: &str) -> Meaning {
    let value = match text.as_bytes().first() {
        None => Some(Value::Null),
        Some(b't' | b'T' | b'f' | b'F' | b'n' | b'N' | b'~') => word(text),
        Some(b'.') => endless(text).or_else(|| plimsoll_yaml::number(text)),
        Some(b'0'..=b'9') => match timestamp(text) {
            Some(time) => return Meaning::Time(time),
            None => plimsoll_yaml::number(text),
        },
        Some(b'+' | b'-') => endless(text).or_else(|| plimsoll_yaml::number(text)),
        Some(_) => None,
    };
    Meaning::Value(value.unwrap_or_else(|| Value::Text(text.into())))
}

fn word(text: &str) -> Option<Value> {
    match text {
        "true" | "True" | "TRUE" => Some(Value::Bool(true)),
        "false" | "False" | "FALSE" => Some(Value::Bool(false)),
        "~" | "null" | "Null" | "NULL" => Some(Value::Null),
        _ => None,
    }
}

fn endless(text: &str) -> Option<Value> {
    match text {
        ".nan" | ".NaN" | ".NAN" => Some(Value::Float(f64::NAN)),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => Some(Value::Float(f64::INFINITY)),
        "-.inf" | "-.Inf" | "-.INF" => Some(Value::Float(f64::NEG_INFINITY)),
        _ => None,
    }
}

/// Whether kubectl, which reads YAML 1.1, would take a text without quotes for something else than text
/// (`kyaml/yaml/compatibility.go`, `IsValueNonString`).
pub(crate) fn is_other_in_yaml_1_1(text: &str) -> bool {
    const WORDS: [&str; 16] =
        ["y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "n", "N", "no", "No", "NO", "off", "Off", "OFF"];
    if text.is_empty() || text.contains('\n') {
        return false;
    }
    WORDS.contains(&text) || !matches!(tag_of_plain(text), Tag::Text | Tag::Time)
}
