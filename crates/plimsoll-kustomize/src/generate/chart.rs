//! `helmCharts`: what Helm prints for a chart becomes objects (`internal/builtins/HelmChartInflationGenerator.go`).

use super::json_of;
use crate::accumulate::{Step, read_value};
use crate::build::Build;
use crate::files::{Root, Standing};
use crate::inflation::{Inflation, ValueLayer};
use crate::kustomization::{ChartEntry, ValuesWin};
use crate::load::{load_objects, text_of};
use crate::merge::merge;
use crate::refusal::Refusal;
use crate::resource::{Maker, Resource};
use crate::tree::{from_model, to_value};
use plimsoll_model::{Node, Place};

/// The objects of a chart. One that is not there is fetched by kustomize, and not by us.
pub(crate) fn inflate(
    build: &mut Build<'_>,
    step: &Step<'_>,
    chart: &ChartEntry,
) -> Result<Vec<Resource>, Refusal> {
    let (name, place) = &chart.name;
    if !build.allows_charts {
        return Err(Refusal::new(*place, NOT_ENABLED));
    }
    let folder = step.root.path(&format!("{}/{name}", chart.home));
    if build.files.look(&folder) != Some(Standing::Folder) {
        if !chart.has_repository {
            let cause = format!("there is no chart in `{folder}`, and no `repo` to fetch it from");
            return Err(Refusal::new(*place, cause));
        }
        let cause =
            format!("the chart {name} is not fetched; put it into `{folder}` with `helm pull --untar`");
        build.problems.push(Refusal::new(*place, cause));
        return Ok(Vec::new());
    }
    let inflation = Inflation {
        values: values(build, step, chart, &folder)?,
        // Helm makes a name with the time in it.
        release: if chart.release.is_empty() { format!("{name}-0") } else { chart.release.clone() },
        namespace: chart.namespace.clone(),
        api_versions: chart.api_versions.clone(),
        kube_version: chart.kube_version.clone(),
        parts: chart.parts,
        folder,
    };
    let opened = build.files.inflate(&inflation).map_err(|cause| Refusal::new(*place, cause))?;
    let mut resources = load_objects(build, &opened)?;
    for resource in &mut resources {
        resource.maker = Maker::Chart;
    }
    Ok(resources)
}

const NOT_ENABLED: &str = "this command refuses `helmCharts`: must specify --enable-helm; run `kustomize build \
                           --enable-helm` and pipe what it prints into `kubectl apply -f -`";

/// The values that Helm is given: the file and the inline ones in one, then the other files.
fn values(
    build: &mut Build<'_>,
    step: &Step<'_>,
    chart: &ChartEntry,
    folder: &str,
) -> Result<Vec<ValueLayer>, Refusal> {
    let root = step.root;
    let own = || (format!("{folder}/values.yaml"), chart.place());
    let (path, place) = chart.values_file.clone().unwrap_or_else(own);
    let path = if chart.values_file.is_some() { path } else { below(root, &path) };
    let mut layers = vec![match &chart.values {
        None => layer(build, root, &path, place)?,
        Some(inline) => {
            let file = match chart.values_win {
                ValuesWin::Alone => None,
                _ => Some(read_value(build, root, &path, place)?),
            };
            let text = merged(build, inline, file.as_ref(), chart.values_win)?;
            ValueLayer { path: root.path(&step.kustomization.file_name), text }
        }
    }];
    for (path, place) in &chart.more_values_files {
        layers.push(layer(build, root, path, *place)?);
    }
    Ok(layers)
}

/// A path of the host, as it is told inside a folder.
fn below(root: &Root, path: &str) -> String {
    let inside = path.strip_prefix(root.folder.as_str()).filter(|_| !root.folder.is_empty());
    inside.map_or(path, |inside| inside.trim_start_matches('/')).to_owned()
}

fn layer(build: &mut Build<'_>, root: &Root, path: &str, place: Place) -> Result<ValueLayer, Refusal> {
    let opened = root.open(build.files, path, place)?;
    let text = text_of(&opened, place)?.to_owned();
    Ok(ValueLayer { path: root.path(path), text })
}

/// What wins is laid over the other; null takes a key away, and the chart's own value then counts again.
fn merged(
    build: &mut Build<'_>,
    inline: &Node,
    file: Option<&Node>,
    wins: ValuesWin,
) -> Result<String, Refusal> {
    let Some(file) = file else { return Ok(json_of(inline)) };
    let (below, above) = if wins == ValuesWin::Inline { (file, inline) } else { (inline, file) };
    let found = merge(from_model(below), from_model(above), build.schema.definitions())?;
    found.map_or_else(|| Ok("{}".to_owned()), |node| Ok(json_of(&to_value(&node)?)))
}
