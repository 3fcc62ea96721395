//! Which charts inside a chart are on, under which name, and what they hand up
//! (Helm 4, `pkg/chart/v2/util/dependencies.go`).

use super::ValuesFailure;
use super::coalesce::{Manner, coalesce_values, copy, merge_tables};
use super::source::Places;
use crate::chart::{Chart, ChartFile, Dependency};
use crate::functions::semver::{Constraints, Version};
use crate::render::HelmVersion;
use crate::template::value::{Map, Value};
use std::rc::Rc;

/// A chart as it takes part in a release: under its name there, with the charts that are on.
#[derive(Debug, Clone)]
pub(crate) struct ChartNode<'c> {
    pub(crate) chart: &'c Chart,
    pub(crate) name: Rc<str>,
    pub(crate) values: Map,
    pub(crate) charts: Vec<ChartNode<'c>>,
    /// The dependencies that are on.
    pub(crate) dependencies: Vec<Dependency>,
}

/// The charts of a release.
pub(crate) fn process<'c>(
    chart: &'c Chart,
    values: &Map,
    places: &mut Places,
    helm: HelmVersion,
) -> Result<ChartNode<'c>, ValuesFailure> {
    let cleans_defaults = helm == HelmVersion::Four;
    let mut root = ChartNode::new(chart, places, helm);
    let manner = Manner { keeps_nulls: false, cleans_defaults };
    root.choose(values, "", manner)?;
    root.import(Manner { keeps_nulls: true, cleans_defaults })?;
    Ok(root)
}

impl<'c> ChartNode<'c> {
    fn new(chart: &'c Chart, places: &mut Places, helm: HelmVersion) -> Self {
        let path = if chart.path.is_empty() {
            "values.yaml".to_owned()
        } else {
            format!("{}/values.yaml", chart.path)
        };
        let values = chart.values(helm).and_then(|node| {
            let file = places.file(&path, true);
            places.value(node, file).value.as_map().cloned()
        });
        Self {
            chart,
            name: chart.metadata.name.as_str().into(),
            values: values.unwrap_or_else(|| Map::of_values([])),
            charts: chart.charts.iter().map(|inner| Self::new(inner, places, helm)).collect(),
            dependencies: chart.metadata.dependencies.clone(),
        }
    }

    /// Names the charts inside as `Chart.yaml` does, and takes out those that tags or conditions turn off.
    fn choose(&mut self, values: &Map, path: &str, manner: Manner) -> Result<(), ValuesFailure> {
        if self.dependencies.is_empty() {
            return Ok(());
        }
        self.name_charts();
        let values = coalesce_values(self, values, manner)?;
        let is_on: Vec<bool> =
            self.dependencies.iter().map(|dependency| is_on(dependency, &values, path)).collect();
        let mut verdicts = is_on.iter();
        let off: Vec<String> = self
            .dependencies
            .extract_if(.., |_| verdicts.next() == Some(&false))
            .map(|dependency| dependency.name)
            .collect();
        self.dependencies.retain(|dependency| !off.contains(&dependency.name));
        self.charts.retain(|chart| !off.iter().any(|name| **name == *chart.name));
        for chart in &mut self.charts {
            let inner = format!("{path}{}.", chart.name);
            chart.choose(&values, &inner, manner)?;
        }
        Ok(())
    }

    /// Charts that `Chart.yaml` does not name stay; one that it names twice is there twice.
    fn name_charts(&mut self) {
        let all = std::mem::take(&mut self.charts);
        let is_named = |chart: &Self| self.dependencies.iter().any(|dependency| chart.answers(dependency));
        self.charts = all.iter().filter(|chart| !is_named(chart)).cloned().collect();
        for dependency in &mut self.dependencies {
            if let Some(chart) = all.iter().find(|chart| chart.answers(dependency)) {
                let mut chart = chart.clone();
                if !dependency.alias.is_empty() {
                    chart.name = dependency.alias.as_str().into();
                }
                self.charts.push(chart);
            }
            if !dependency.alias.is_empty() {
                dependency.name.clone_from(&dependency.alias);
            }
        }
    }

    /// The files below `crds/` of the charts that are on, each with its path below the outermost chart.
    pub(crate) fn definitions(&self) -> Vec<(String, ChartFile)> {
        let own = self.chart.own_definitions().map(|(path, file)| (path, file.clone()));
        own.chain(self.charts.iter().flat_map(Self::definitions)).collect()
    }

    fn answers(&self, dependency: &Dependency) -> bool {
        *self.name == *dependency.name && is_compatible(&dependency.version, &self.chart.metadata.version)
    }

    /// Takes over what charts inside export.
    fn import(&mut self, manner: Manner) -> Result<(), ValuesFailure> {
        for chart in &mut self.charts {
            chart.import(manner)?;
        }
        if self.dependencies.is_empty() {
            return Ok(());
        }
        let values = coalesce_values(self, &Map::of_values([]), manner)?;
        let imported = Map::of_values([]);
        for dependency in &self.dependencies {
            for import in &dependency.imports {
                if let Some(table) = table_at(&values, &format!("{}.{}", dependency.name, import.child)) {
                    merge_tables(&imported, &nested(&import.parent, &copy(&table)), true);
                }
            }
        }
        let values = copy(&values);
        merge_tables(&values, &imported, true);
        self.values = values;
        Ok(())
    }
}

/// A table below a path of names.
fn nested(path: &str, table: &Map) -> Map {
    if path == "." {
        return table.clone();
    }
    path.rsplit('.').fold(table.clone(), |inner, name| Map::of_values([(name, inner.into())]))
}

fn is_on(dependency: &Dependency, values: &Map, path: &str) -> bool {
    let tags = table_at(values, "tags");
    let tagged: Vec<bool> = dependency
        .tags
        .iter()
        .filter_map(|tag| match tags.as_ref()?.get(tag)?.value {
            Value::Bool(is_on) => Some(is_on),
            _ => None,
        })
        .collect();
    let by_tags = tagged.is_empty() || tagged.contains(&true);
    let conditions = dependency.condition.trim().split(',').filter(|condition| !condition.is_empty());
    let mut decided =
        conditions.filter_map(|condition| match value_at(values, &format!("{path}{condition}"))? {
            Value::Bool(is_on) => Some(is_on),
            _ => None,
        });
    decided.next().unwrap_or(by_tags)
}

fn table_at(values: &Map, path: &str) -> Option<Map> {
    path.split('.').try_fold(values.clone(), |table, name| match table.get(name)?.value {
        Value::Map(inner) => Some(inner),
        _ => None,
    })
}

fn value_at(values: &Map, path: &str) -> Option<Value> {
    let (table, name) = match path.rsplit_once('.') {
        Some((tables, name)) => (table_at(values, tables)?, name),
        None => (values.clone(), path),
    };
    table.get(name).map(|item| item.value).filter(|value| value.as_map().is_none())
}

/// Whether a version fits a constraint, as Helm asks it of charts.
#[must_use]
pub fn is_compatible(constraint: &str, version: &str) -> bool {
    let (Ok(constraints), Ok(version)) = (Constraints::parse(constraint), Version::parse(version)) else {
        return false;
    };
    constraints.hold(&version)
}
