//! Brings a user's values and the defaults of charts together (Helm 4, `pkg/chart/common/util/coalesce.go`).
//!
//! In Go a table is changed in place, and so it is here: who holds it sees it.

use super::ValuesFailure;
use super::dependencies::ChartNode;
use crate::functions::copied;
use crate::template::value::{Item, Map, Value};
use std::collections::BTreeSet;

const GLOBAL: &str = "global";

/// How values are brought together.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Manner {
    /// Nulls stay, for a later step to see them.
    pub(crate) keeps_nulls: bool,
    /// Helm 4 takes the nulls out of the defaults of a chart.
    pub(crate) cleans_defaults: bool,
}

/// The values of a chart and all charts inside, for values that a user gave.
pub(crate) fn coalesce_values(
    chart: &ChartNode<'_>,
    values: &Map,
    manner: Manner,
) -> Result<Map, ValuesFailure> {
    let values = copy(values);
    coalesce(chart, &values, manner)?;
    Ok(values)
}

/// A copy that shares no map.
pub(super) fn copy(map: &Map) -> Map {
    match copied(&Item::from(Value::Map(map.clone())), 0) {
        Ok(Item { value: Value::Map(map), .. }) => map,
        _ => map.clone(),
    }
}

fn coalesce(chart: &ChartNode<'_>, values: &Map, manner: Manner) -> Result<(), ValuesFailure> {
    take_defaults(chart, values, manner);
    for inner in &chart.charts {
        let name = &*inner.name;
        let table = match values.get(name).map(|item| item.value) {
            None => {
                let table = Map::of_values([]);
                values.set(name.into(), Value::from(table.clone()).into());
                table
            }
            Some(Value::Map(table)) => table,
            Some(_) => return Err(ValuesFailure::NotATable { chart: name.to_owned() }),
        };
        pass_globals(&table, values);
        coalesce(inner, &table, manner)?;
    }
    Ok(())
}

/// What a chart says itself, where nobody has said it.
fn take_defaults(chart: &ChartNode<'_>, values: &Map, manner: Manner) {
    let defaults = copy(&chart.values);
    for (key, item) in defaults.entries() {
        let Some(present) = values.get(&key) else {
            if !manner.keeps_nulls && manner.cleans_defaults {
                match &item.value {
                    Value::Nil => continue,
                    Value::Map(inner) => remove_nulls(inner),
                    _ => {}
                }
            }
            values.set(key, item);
            continue;
        };
        match (&present.value, &item.value) {
            (Value::Nil, _) if !manner.keeps_nulls => values.remove(&key),
            (Value::Map(own), Value::Map(default)) => {
                let is_chart = chart.charts.iter().any(|inner| *inner.name == *key);
                let keeps_nulls = manner.keeps_nulls || is_chart;
                if !keeps_nulls && manner.cleans_defaults {
                    remove_nulls(default);
                }
                merge_tables(own, default, keeps_nulls);
            }
            _ => {}
        }
    }
}

fn remove_nulls(map: &Map) {
    for (key, item) in map.entries() {
        match &item.value {
            Value::Nil => map.remove(&key),
            Value::Map(inner) => remove_nulls(inner),
            _ => {}
        }
    }
}

/// What `global` says around a chart holds inside it too.
fn pass_globals(inner: &Map, outer: &Map) {
    let table = |map: &Map| match map.get(GLOBAL).map(|item| item.value) {
        None => Some(Map::of_values([])),
        Some(Value::Map(table)) => Some(table),
        Some(_) => None,
    };
    let (Some(own), Some(given)) = (table(inner), table(outer)) else {
        return;
    };
    for (key, item) in given.entries() {
        let present = own.get(&key).map(|item| item.value);
        match (&item.value, present) {
            (Value::Map(given), None) => own.set(key, Item { value: shallow(given).into(), ..item }),
            (Value::Map(given), Some(Value::Map(present))) => {
                let table = shallow(given);
                merge_tables(&table, &present, true);
                own.set(key, Item { value: table.into(), ..item });
            }
            (Value::Map(_), Some(_)) | (_, Some(Value::Map(_))) => {}
            _ => own.set(key, item),
        }
    }
    inner.set(GLOBAL.into(), Value::from(own).into());
}

fn shallow(map: &Map) -> Map {
    Map::of_any(map.borrow().clone())
}

/// Adds what another table says. A null that is not kept deletes what the other one says.
pub(super) fn merge_tables(into: &Map, from: &Map, keeps_nulls: bool) {
    let said: BTreeSet<_> =
        from.entries().into_iter().filter(|(_, item)| !item.value.is_nil()).map(|(key, _)| key).collect();
    for (key, item) in into.entries() {
        if item.value.is_nil() {
            from.set(key, Value::Nil.into());
        }
    }
    for (key, item) in from.entries() {
        match (into.get(&key).map(|item| item.value), &item.value) {
            (Some(Value::Nil), _) if !keeps_nulls && said.contains(&key) => into.remove(&key),
            (None, _) => into.set(key, item),
            (Some(Value::Map(own)), Value::Map(other)) if !own.is(other) => {
                merge_tables(&own, other, keeps_nulls);
            }
            _ => {}
        }
    }
}
