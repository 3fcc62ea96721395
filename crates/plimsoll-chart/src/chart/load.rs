//! Makes a chart of its files, as Helm 4 does (`pkg/chart/v2/loader/load.go`).

use super::reading::MAX_CHART_BYTES;
use super::{Chart, ChartFailure, ChartFile, Metadata, archive};
use crate::render::HelmVersion;
use crate::values::{is_read_otherwise, read_values};
use plimsoll_model::{FileIndex, Node};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// How deep charts may stand in each other.
const MAX_DEPTH: usize = 32;

/// The chart of some files, at a path below the outermost one.
pub(crate) fn chart(files: Vec<ChartFile>, path: &str) -> Result<Chart, ChartFailure> {
    let taken: usize = files.iter().map(|file| file.content.len()).sum();
    build(files, path, 0, &mut (MAX_CHART_BYTES.saturating_sub(taken) as u64))
}

/// Archives inside the chart share the bytes that are left.
pub(super) fn build(
    files: Vec<ChartFile>,
    path: &str,
    depth: usize,
    left: &mut u64,
) -> Result<Chart, ChartFailure> {
    if depth > MAX_DEPTH {
        let cause = format!("charts stand more than {MAX_DEPTH} deep in each other");
        return Err(ChartFailure::Broken { path: path.to_owned(), cause });
    }
    let mut chart = Chart {
        metadata: metadata(&files, path)?,
        path: path.into(),
        values: None,
        values_for_helm_3: None,
        schema: None,
        templates: Vec::new(),
        files: Vec::new(),
        charts: Vec::new(),
    };
    let mut inside: BTreeMap<String, Vec<ChartFile>> = BTreeMap::new();
    for file in files {
        match &*file.path {
            "Chart.yaml" | "Chart.lock" => {}
            "requirements.yaml" | "requirements.lock" if chart.metadata.api_version != "v1" => {}
            "values.yaml" => {
                chart.values = Some(values(&file, path, HelmVersion::Four)?.into());
                if is_read_otherwise(&file.text()) {
                    chart.values_for_helm_3 = Some(values(&file, path, HelmVersion::Three)?.into());
                }
            }
            "values.schema.json" => chart.schema = Some(file.text()),
            name if name.starts_with("templates/") => chart.templates.push(file),
            name if name.starts_with("charts/") && !has_ending(name, "prov") => {
                let name = name.strip_prefix("charts/").unwrap_or(name).to_owned();
                let first = name.split('/').next().unwrap_or_default().to_owned();
                inside.entry(first).or_default().push(ChartFile { path: name.into(), ..file });
            }
            _ => chart.files.push(file),
        }
    }
    for (name, files) in inside {
        chart.charts.extend(inner(&name, files, path, depth, left)?);
    }
    Ok(chart)
}

fn metadata(files: &[ChartFile], path: &str) -> Result<Metadata, ChartFailure> {
    let mut metadata = Metadata::default();
    let mut is_chart = false;
    for name in ["Chart.yaml", "requirements.yaml"] {
        if let Some(file) = files.iter().find(|file| &*file.path == name) {
            metadata.read(&parse(file, path)?);
            is_chart |= name == "Chart.yaml";
        }
        if metadata.api_version.is_empty() {
            "v1".clone_into(&mut metadata.api_version);
        }
    }
    for name in ["Chart.lock", "requirements.lock"] {
        let file = files.iter().find(|file| &*file.path == name);
        // A lock that cannot be read is no reason not to read the chart: Helm does not look at it here.
        if let Some(Ok(root)) = file.map(|file| parse(file, path)) {
            metadata.lock(&root);
        }
    }
    if !is_chart {
        let path = if path.is_empty() { "the folder" } else { path };
        return Err(ChartFailure::NoMetadata { path: path.to_owned() });
    }
    let is_bad = |name: &str| name.is_empty() || name == "." || name == ".." || name.contains('/');
    if is_bad(&metadata.name) {
        let cause = "the chart needs a name that is no path".to_owned();
        return Err(ChartFailure::Broken { path: inside(path, "Chart.yaml"), cause });
    }
    Ok(metadata)
}

fn inside(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") }
}

fn parse(file: &ChartFile, path: &str) -> Result<Node, ChartFailure> {
    let text = file.text();
    plimsoll_yaml::value(&text, FileIndex(0)).map_err(|fault| ChartFailure::Broken {
        path: inside(path, &file.path),
        cause: format!("line {}: {}", fault.place.line, fault.cause),
    })
}

fn values(file: &ChartFile, path: &str, helm: HelmVersion) -> Result<Node, ChartFailure> {
    let text = file.text();
    read_values(&text, FileIndex(0), helm).map_err(|fault| ChartFailure::Broken {
        path: inside(path, &file.path),
        cause: format!("line {}: {}", fault.place.line, fault.cause),
    })
}

/// A chart of `charts/`: a folder or an archive. Other files there, and hidden ones, mean nothing.
fn inner(
    name: &str,
    files: Vec<ChartFile>,
    path: &str,
    depth: usize,
    left: &mut u64,
) -> Result<Option<Chart>, ChartFailure> {
    if name.starts_with(['_', '.']) {
        return Ok(None);
    }
    let below: Arc<str> = inside(path, &format!("charts/{name}")).into();
    if has_ending(name, "tgz") {
        let Some(file) = files.first() else {
            return Ok(None);
        };
        let files = archive::files(&file.content, left).map_err(|failure| match failure {
            ChartFailure::BadArchive { cause, .. } => {
                ChartFailure::BadArchive { path: below.to_string(), cause }
            }
            other => other,
        })?;
        return build(files, &below, depth + 1, left).map(Some);
    }
    let files: Vec<ChartFile> = files
        .into_iter()
        .filter_map(|file| {
            let (_, rest) = file.path.split_once('/')?;
            Some(ChartFile { path: rest.into(), content: file.content.clone() })
        })
        .collect();
    if files.is_empty() {
        return Ok(None);
    }
    build(files, &below, depth + 1, left).map(Some)
}

fn has_ending(name: &str, ending: &str) -> bool {
    Path::new(name).extension().is_some_and(|found| found == ending)
}
