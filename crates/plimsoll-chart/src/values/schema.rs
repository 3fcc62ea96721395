//! Values against `values.schema.json`.

use super::{ChartNode, ValuesFailure};
use crate::template::value::{Map, Value};
use jsonschema::{Retrieve, Uri};
use serde_json::Value as Json;
use std::error::Error;

/// How many sentences are said of one chart.
const MAX_SENTENCES: usize = 10;
/// Deeper values hold themselves.
const MAX_DEPTH: usize = 1_000;

/// Whether the values of every chart fit its schema.
pub(crate) fn validate(chart: &ChartNode<'_>, values: &Map) -> Result<(), ValuesFailure> {
    if let Some(schema) = &chart.chart.schema {
        check(schema, values)
            .map_err(|cause| ValuesFailure::Schema { chart: chart.name.to_string(), cause })?;
    }
    for inner in &chart.charts {
        if let Some(Value::Map(values)) = values.get(&inner.name).map(|item| item.value) {
            validate(inner, &values)?;
        }
    }
    Ok(())
}

fn check(schema: &str, values: &Map) -> Result<(), String> {
    let schema: Json =
        serde_json::from_str(schema).map_err(|error| format!("the schema is no JSON: {error}"))?;
    let validator = jsonschema::options()
        .with_retriever(Nowhere)
        .build(&schema)
        .map_err(|error| format!("the schema cannot be used: {error}"))?;
    let values = json(&Value::Map(values.clone()), 0);
    let sentences: Vec<String> = validator
        .iter_errors(&values)
        .take(MAX_SENTENCES)
        .map(|error| format!("at '{}': {error}", error.instance_path()))
        .collect();
    if sentences.is_empty() { Ok(()) } else { Err(sentences.join("\n")) }
}

/// Schemas that lie elsewhere are not fetched: the same input gives the same answer everywhere.
struct Nowhere;

impl Retrieve for Nowhere {
    fn retrieve(&self, uri: &Uri<String>) -> Result<Json, Box<dyn Error + Send + Sync>> {
        Err(format!("{uri} lies outside the chart and is not fetched").into())
    }
}

/// A value as JSON; whole numbers are written as such.
fn json(value: &Value, depth: usize) -> Json {
    match value {
        _ if depth > MAX_DEPTH => Json::Null,
        Value::Invalid | Value::Nil => Json::Null,
        Value::Bool(value) => Json::Bool(*value),
        Value::Int(number) | Value::Int64(number) | Value::Duration(number) => Json::from(*number),
        Value::Byte(number) => Json::from(*number),
        Value::Uint64(number) => Json::from(*number),
        Value::Float(number) => {
            serde_json::from_str(&crate::template::float::json(*number)).unwrap_or(Json::Null)
        }
        Value::Text(text) => Json::from(&**text),
        Value::List(list) => list.items().iter().map(|item| json(&item.value, depth + 1)).collect(),
        Value::Map(map) => {
            let entries = map.entries().into_iter();
            Json::Object(entries.map(|(key, item)| (key.to_string(), json(&item.value, depth + 1))).collect())
        }
        Value::Object(object) => json(&object.plain(), depth + 1),
    }
}
