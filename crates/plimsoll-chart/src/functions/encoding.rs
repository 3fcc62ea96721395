//! YAML, JSON, TOML, base64 and base32.

use crate::encode::{json, yaml};
use crate::read;
use crate::template::failure::Failure;
use crate::template::function::{Call, Function, Outcome, Parameter};
use crate::template::value::{Item, List, Map, Text, Value};
use json::Layout;

pub(super) const FUNCTIONS: &[Function] = &[
    Function::new("toYaml", &[Parameter::Any], to_yaml),
    Function::new("mustToYaml", &[Parameter::Any], to_yaml),
    Function::new("toYamlPretty", &[Parameter::Any], to_yaml_pretty),
    Function::new("fromYaml", &[Parameter::Text], from_yaml),
    Function::new("fromYamlArray", &[Parameter::Text], |call| array_of(read::yaml(call.str(0)))),
    Function::new("toJson", &[Parameter::Any], |call| to_json(call, COMPACT)),
    Function::new("mustToJson", &[Parameter::Any], |call| to_json(call, COMPACT)),
    Function::new("toPrettyJson", &[Parameter::Any], |call| {
        to_json(call, Layout { is_indented: true, ..COMPACT })
    }),
    Function::new("mustToPrettyJson", &[Parameter::Any], |call| {
        to_json(call, Layout { is_indented: true, ..COMPACT })
    }),
    Function::new("toRawJson", &[Parameter::Any], |call| {
        to_json(call, Layout { escapes_html: false, ..COMPACT })
    }),
    Function::new("mustToRawJson", &[Parameter::Any], |call| {
        to_json(call, Layout { escapes_html: false, ..COMPACT })
    }),
    Function::new("fromJson", &[Parameter::Text], from_json),
    Function::new("mustFromJson", &[Parameter::Text], must_from_json),
    Function::new("fromJsonArray", &[Parameter::Text], |call| array_of(read::json(call.str(0)))),
    Function::new("fromToml", &[Parameter::Text], |call| map_of(call, read::toml(call.str(0)))),
    Function::new("toToml", &[Parameter::Any], to_toml),
    Function::new("mustToToml", &[Parameter::Any], to_toml),
    Function::new("b64enc", &[Parameter::Text], |call| Ok(base64(call.text(0).bytes()).into())),
    Function::new("b64dec", &[Parameter::Text], base64_decode),
    Function::new("b32enc", &[Parameter::Text], |call| Ok(base32(call.text(0).bytes()).into())),
    Function::new("b32dec", &[Parameter::Text], base32_decode),
];

const COMPACT: Layout = Layout { is_indented: false, escapes_html: true };

fn to_yaml(call: &mut Call<'_>) -> Outcome {
    let text = yaml::encode(&call.item(0), call.origin).unwrap_or_else(|| Text::from(""));
    call.machine.meter.make(text.len())?;
    Ok(Value::Text(text).into())
}

/// Lists under a key are indented.
fn to_yaml_pretty(call: &mut Call<'_>) -> Outcome {
    let text = yaml::encode_pretty(&call.item(0), call.origin).unwrap_or_else(|| Text::from(""));
    call.machine.meter.make(text.len())?;
    Ok(Value::Text(text).into())
}

fn from_yaml(call: &mut Call<'_>) -> Outcome {
    map_of(call, read::yaml(call.str(0)))
}

fn from_json(call: &mut Call<'_>) -> Outcome {
    map_of(call, read::json(call.str(0)))
}

fn must_from_json(call: &mut Call<'_>) -> Outcome {
    Ok(read::json(call.str(0))?.into())
}

/// The map a text stands for, or a map with the error.
fn map_of(call: &Call<'_>, value: Result<Value, String>) -> Outcome {
    let error = match value {
        Ok(Value::Map(map)) => return Ok(Item::new(map.into(), call.item(0).place)),
        Ok(Value::Nil) => return Ok(Map::of_values([]).into()),
        Ok(other) => read::not_a(&other, "map[string]interface {}"),
        Err(error) => error,
    };
    Ok(Map::of_values([("Error", Value::from(error))]).into())
}

/// The list a text stands for, or a list with the error.
fn array_of(value: Result<Value, String>) -> Outcome {
    let error = match value {
        Ok(Value::List(list)) => return Ok(list.into()),
        Ok(Value::Nil) => return Ok(List::of_any(Vec::new()).into()),
        Ok(other) => read::not_a(&other, "[]interface {}"),
        Err(error) => error,
    };
    Ok(List::of_any(vec![error.into()]).into())
}

fn to_json(call: &mut Call<'_>, layout: Layout) -> Outcome {
    let text = json::encode(call.value(0), layout).unwrap_or_default();
    call.machine.meter.make(text.len())?;
    Ok(text.into())
}

fn to_toml(call: &mut Call<'_>) -> Outcome {
    Ok(crate::encode::toml::encode(call.value(0)).into())
}

fn base64(bytes: &[u8]) -> String {
    data_encoding::BASE64.encode(bytes)
}

fn base64_decode(call: &mut Call<'_>) -> Outcome {
    decoded(call, &data_encoding::BASE64, "base64")
}

fn base32(bytes: &[u8]) -> String {
    data_encoding::BASE32.encode(bytes)
}

fn base32_decode(call: &mut Call<'_>) -> Outcome {
    decoded(call, &data_encoding::BASE32, "base32")
}

/// Sprig gives the error as the result.
fn decoded(call: &Call<'_>, encoding: &data_encoding::Encoding, name: &str) -> Result<Item, Failure> {
    let digits: Vec<u8> = call.str(0).bytes().filter(|byte| !matches!(byte, b'\n' | b'\r')).collect();
    Ok(match encoding.decode(&digits) {
        Ok(bytes) => Value::Text(Text::from_bytes(bytes)).into(),
        Err(error) => format!("illegal {name} data at input byte {}", error.position).into(),
    })
}
